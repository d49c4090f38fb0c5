"""Pages: what volcli knows of many programs, as one HTML file that needs no other one.

A record of a file (`records`) is plain data, made in a worker process (`recording`): its text in parts, its
facts by place, its pictures. Sets are sent to the page as constraints (`sets`), and drawn there by `page.js`,
since any slice of them may be asked for; iterations and arrows are drawn here.

Guarantees: equal records give equal bytes; what a program says is escaped; a file whose analysis fails has a
record that says so; no page refers to anything outside of it.

Imports: `api`, `diagnostics`, `facts`, `frontend`, `gate`, `model`, `passes`, `presburger`, `report`,
`validation`.
"""
