// Starts `volcli lsp` for MLIR files, and starts it again when its command changes or the user asks for it.
import { commands, type ExtensionContext, Uri, ViewColumn, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const [command, ...args] = workspace.getConfiguration("volcli").get<string[]>("command", ["volcli", "lsp"]);
  client = new LanguageClient("volcli", { command, args }, {
    documentSelector: [{ language: "mlir" }],
    middleware: {
      window: {
        // What the server explains stands beside the program, and the cursor stays where it is.
        showDocument: async (params) => {
          const shown = { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true };
          await window.showTextDocument(Uri.parse(params.uri), shown);
          return { success: true };
        },
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`volcli: '${command}' did not start: ${error}. Install it with: pip install 'volcli[lsp]'`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async () => { await stop(); await start(); };
  context.subscriptions.push(
    commands.registerCommand("volcli.restart", restart),
    workspace.onDidChangeConfiguration((changed) => changed.affectsConfiguration("volcli.command") ? restart() : undefined),
  );
  await start();
}

export const deactivate = stop;
