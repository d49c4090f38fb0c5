-- A conversation of Neovim with `volcli lsp`; what comes of it is written to OUT as JSON.
-- Neovim counts lines and columns from 0 where the protocol does.
local command, path, out = vim.env.SERVER, vim.env.FILE, vim.env.OUT
local said = {}

vim.cmd("edit " .. path)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = "volcli", cmd = vim.split(command, "|"), root_dir = vim.fn.fnamemodify(path, ":h"),
})
vim.lsp.buf_attach_client(buffer, client)

local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers and answers[client] and answers[client].result
end

local function place(word)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(word, 1, true)
    if column then return { line = number - 1, character = column - 1 } end
  end
end

local function diagnostics()
  return vim.tbl_map(function(each) return { each.lnum, each.code } end, vim.diagnostic.get(buffer))
end

vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
said.diagnostics = diagnostics()
said.hover = ask("textDocument/hover", { position = place("%i]") }).contents.value
local edit = ask("textDocument/rename", { position = place("%i]"), newName = "at" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
local here = { start = { line = said.diagnostics[1][1], character = 0 } }
here["end"] = here.start
local actions
vim.wait(60000, function()
  actions = ask("textDocument/codeAction", { range = here, context = { diagnostics = {}, only = { "quickfix" } } })
  return actions and #actions > 0
end, 50)
local resolved = vim.lsp.buf_request_sync(buffer, "codeAction/resolve", actions[1], 60000)[client].result
vim.lsp.util.apply_workspace_edit(resolved.edit, "utf-16")
vim.wait(60000, function() return #vim.diagnostic.get(buffer) == 0 end, 20)
said.left = #diagnostics()
said.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
local file = io.open(out, "w")
file:write(vim.json and vim.json.encode(said) or vim.fn.json_encode(said))
file:close()
