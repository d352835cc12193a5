import type { HttpResponse } from './http.ts'

const css = `
:root {
  color-scheme: light dark;
  --bg: #f7f6f3; --surface: #fffefc; --sunken: #efede8;
  --line: #e4e1da; --line-strong: #b9b4a9;
  --ink: #1d1b18; --ink-2: #56514a;
  --accent: #ad4f08; --accent-hover: #97450a; --accent-ink: #ffffff; --accent-soft: #fbead9;
  --bad: #bd2429;
  --shadow: 0 1px 2px rgb(40 30 10 / 6%), 0 8px 24px rgb(40 30 10 / 8%);
  --ui: Inter, system-ui, sans-serif;
  --mono: 'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #141311; --surface: #1a1916; --sunken: #100f0d;
    --line: #2c2a26; --line-strong: #565148;
    --ink: #f0ede6; --ink-2: #b8b2a6;
    --accent: #f0934a; --accent-hover: #f5a465; --accent-ink: #1b1206; --accent-soft: #38230f;
    --bad: #ff7377;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px rgb(0 0 0 / 45%);
  }
}
* { box-sizing: border-box; margin: 0; }
body { font: 13px/1.5 var(--ui); color: var(--ink); background: var(--bg); }
h1 { font-size: 20px; font-weight: 620; letter-spacing: -0.01em; line-height: 1.3; }
h2 { font-size: 15px; font-weight: 620; letter-spacing: -0.01em; }
code { font-family: var(--mono); font-size: 12px; overflow-wrap: anywhere; }
small { font-size: 12px; color: var(--ink-2); }
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { color: var(--accent-hover); }
ul { list-style: none; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { color: var(--ink-2); font-size: 12px; }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; flex: none; height: 30px; padding: 0 12px;
  border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink);
  font: 500 13px/1 var(--ui); text-decoration: none; white-space: nowrap; cursor: pointer;
}
button:hover, .button:hover { background: var(--sunken); color: var(--ink); }
.primary { background: var(--accent); border-color: transparent; color: var(--accent-ink); }
.primary:hover { background: var(--accent-hover); color: var(--accent-ink); }
input { accent-color: var(--accent); }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 550; }

.brand { display: flex; align-items: center; gap: 8px; font-size: 13px; font-weight: 650; letter-spacing: -0.01em; white-space: nowrap; }
.sign { width: 20px; height: 20px; color: var(--accent); flex: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }

.sheet {
  display: grid; gap: 16px; width: min(520px, 100% - 48px); margin: min(9vh, 72px) auto 48px; padding: 28px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: var(--shadow);
}
.sheet > .brand { color: var(--ink-2); font-weight: 550; font-size: 12px; }
.sheet form { display: grid; gap: 16px; }
.sheet legend { margin-bottom: 8px; }
.sheet fieldset { display: grid; gap: 8px; }
.choice { display: flex; align-items: center; gap: 12px; padding: 10px 12px; border: 1px solid var(--line-strong); border-radius: 6px; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.choice:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.choice input { outline: none; }
.choice b { display: block; font-weight: 600; }
.choice:has(:checked) small { color: var(--ink); }
.sheet dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; padding: 12px 0; border-block: 1px dashed var(--line-strong); }
.sheet dt { color: var(--ink-2); }
.sheet dd { display: grid; gap: 4px; }
.sheet .buttons > * { flex: 1; height: 36px; }
.mistakes { display: grid; gap: 20px; }
.mistakes li { display: grid; gap: 6px; }
.mistakes dl { padding: 8px 12px; border: 0; border-radius: 6px; background: var(--sunken); }
.mistakes h2 code { font-size: 13px; color: var(--bad); }

@media (forced-colors: active) { .choice:has(:checked) { outline: 2px solid Highlight; } }
`

export function stylesheet(): HttpResponse {
  return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: css }
}
