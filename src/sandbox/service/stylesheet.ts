import type { HttpResponse } from './http.ts'

const css = `
:root {
  color-scheme: light dark;
  --bg: #f7f6f3; --surface: #fffefc; --sunken: #efede8;
  --line: #e4e1da; --line-strong: #b9b4a9;
  --ink: #1d1b18; --ink-2: #56514a;
  --accent: #ad4f08; --accent-hover: #97450a; --accent-ink: #ffffff; --accent-soft: #fbead9;
  --ok: #17724a; --ok-soft: #e1f3ea; --bad: #bd2429; --bad-soft: #fdeaea; --warn: #8a5200; --warn-soft: #fdf0d5;
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
    --ok: #4cc38a; --ok-soft: #12291e; --bad: #ff7377; --bad-soft: #361719; --warn: #f1b44c; --warn-soft: #33250d;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px rgb(0 0 0 / 45%);
  }
}
* { box-sizing: border-box; margin: 0; }
html { scroll-padding-top: 60px; }
body { font: 13px/1.5 var(--ui); color: var(--ink); background: var(--bg); }
h1 { font-size: 20px; font-weight: 620; letter-spacing: -0.01em; line-height: 1.3; }
h2 { font-size: 15px; font-weight: 620; letter-spacing: -0.01em; }
code { font-family: var(--mono); font-size: 12px; overflow-wrap: anywhere; }
small { font-size: 12px; color: var(--ink-2); }
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { color: var(--accent-hover); }
ul { list-style: none; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.hint, .empty, .note { color: var(--ink-2); font-size: 12px; }
.bad { color: var(--bad); }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; flex: none; height: 30px; padding: 0 12px;
  border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink);
  font: 500 13px/1 var(--ui); text-decoration: none; white-space: nowrap; cursor: pointer;
}
button:hover, .button:hover { background: var(--sunken); color: var(--ink); }
.primary { background: var(--accent); border-color: transparent; color: var(--accent-ink); }
.primary:hover { background: var(--accent-hover); color: var(--accent-ink); }
input, select { font: inherit; color: inherit; accent-color: var(--accent); }
input:not([type='radio'], [type='checkbox']), select {
  width: 100%; height: 30px; padding: 0 8px; border: 1px solid var(--line-strong); border-radius: 6px;
  background: var(--surface); font-family: var(--mono); font-size: 12px;
}
::placeholder { color: var(--ink-2); opacity: 1; font-style: italic; }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 550; }

.brand { display: flex; align-items: center; gap: 8px; font-size: 13px; font-weight: 650; letter-spacing: -0.01em; white-space: nowrap; }
.sign { width: 20px; height: 20px; color: var(--accent); flex: none; }
.top {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 12px; height: 44px; padding: 0 24px;
  border-bottom: 1px solid var(--line); background: var(--surface);
}
.chip { padding: 3px 10px; border: 1px solid var(--line); border-radius: 6px; white-space: nowrap; }
.chip.warn { border-color: transparent; background: var(--warn-soft); }
.chip.warn a { color: var(--warn); font-weight: 550; }
.reload { margin-left: auto; }

.dashboard {
  display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; align-items: start;
  max-width: 1240px; margin: 0 auto; padding: 20px 24px 40px;
}
.lead, .wide { grid-column: 1 / -1; }
.lead { max-width: 100ch; color: var(--ink-2); }
.column { display: grid; gap: 16px; }
.card {
  display: grid; gap: 12px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface);
}
.card:target { border-color: var(--accent); }
.values { display: grid; grid-template-columns: 148px minmax(0, 1fr); }
.values > * { padding: 6px 0; border-bottom: 1px solid var(--line); }
.values > :nth-last-child(-n + 2) { border-bottom: 0; padding-bottom: 0; }
.values dt { color: var(--ink-2); }
.values code { user-select: all; }
summary { width: max-content; color: var(--accent); cursor: pointer; text-decoration: underline; text-underline-offset: 2px; }
.rows > li { display: flex; align-items: center; gap: 8px; padding: 8px 0; border-bottom: 1px solid var(--line); }
.rows > li:first-child { padding-top: 0; }
.rows > li > code, .grow { flex: 1; min-width: 0; }
.rows small { display: block; font-variant-numeric: tabular-nums; }
.rows small.bad { color: var(--bad); }
.line { display: flex; align-items: flex-end; gap: 8px; }
.line label { display: grid; gap: 4px; color: var(--ink-2); font-size: 12px; }
.inline { display: inline-flex; }
.stack { display: grid; gap: 16px; justify-items: start; }
.sending { display: grid; gap: 12px; padding-bottom: 12px; border-bottom: 1px solid var(--line); }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.notice { padding: 8px 12px; border-radius: 6px; font-weight: 550; }
.notice.ok { background: var(--ok-soft); color: var(--ok); }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { padding: 0 8px 6px 0; color: var(--ink-2); font-size: 12px; font-weight: 500; text-align: left; white-space: nowrap; }
td { height: 40px; padding: 0 8px 0 0; border-top: 1px solid var(--line); white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; text-align: right; }
.state { display: inline-flex; align-items: center; gap: 5px; vertical-align: middle; }
.state svg { flex: none; width: 12px; height: 12px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; }
.state.alive { color: var(--ok); }
.state.expired { color: var(--warn); }
.state.revoked { color: var(--bad); }
.groups { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px 32px; align-items: start; width: 100%; }
.faults { display: grid; gap: 6px; }
.faults legend { margin-bottom: 6px; }
.faults label { display: grid; grid-template-columns: auto 124px minmax(0, 1fr); gap: 8px; align-items: baseline; }
.faults input { translate: 0 2px; }
.faults span { color: var(--ink-2); }
.faults label:has(:checked) code { color: var(--warn); font-weight: 600; }

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

@media (max-width: 899px) {
  .dashboard, .groups { grid-template-columns: minmax(0, 1fr); }
  .line { flex-wrap: wrap; }
}
@media (forced-colors: active) { .choice:has(:checked) { outline: 2px solid Highlight; } }
`

/** Serves the stylesheet of all pages. */
export function stylesheet(): HttpResponse {
  return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: css }
}
