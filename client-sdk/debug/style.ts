/** Of the panel alone: it lives in a shadow root. The second half is what uPlot needs of its own style sheet. */
export const STYLE = `
:host { all: initial; position: fixed; inset: 0; z-index: 9999; pointer-events: none; }
canvas.ghosts { position: absolute; inset: 0; width: 100%; height: 100%; }
section {
  position: absolute; left: 12px; bottom: 12px; width: min(440px, calc(100vw - 24px)); max-height: calc(100vh - 24px);
  box-sizing: border-box; overflow: auto; pointer-events: auto; padding: 10px 12px; border-radius: 10px;
  background: rgb(10 14 26 / 88%); color: #dfe6f5; font: 12px/1.45 ui-sans-serif, system-ui, sans-serif;
  box-shadow: 0 6px 24px rgb(0 0 0 / 45%);
}
header { display: flex; align-items: center; gap: 8px; cursor: move; touch-action: none; }
h1 { margin: 0 auto 0 0; font-size: 13px; font-weight: 600; }
button, select {
  font: inherit; color: inherit; background: #1b2540; border: 1px solid #36446a; border-radius: 6px; padding: 2px 8px;
}
button[aria-pressed="false"] { opacity: 0.45; }
button:focus-visible, select:focus-visible { outline: 2px solid #7cc4ff; }
.graphs { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; margin: 8px 0; }
.graph h2 { margin: 0; font-size: 11px; font-weight: 400; color: #9fb0d3; display: flex; gap: 6px; white-space: nowrap; }
.graph b { margin-left: auto; color: #fff; font-weight: 600; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr auto 1fr; gap: 1px 8px; margin: 8px 0; }
dt { color: #9fb0d3; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.bar { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; }
ol { list-style: none; margin: 6px 0 0; padding: 0; height: 120px; overflow: auto; font: 11px/1.5 ui-monospace, monospace; }
li { white-space: nowrap; }
li::before { content: attr(data-kind) " "; color: #7cc4ff; }
li[data-kind="correction"]::before { color: #ffb454; }
li[data-kind="fault"]::before { color: #ff7b8f; }
.uplot, .uplot *, .uplot *::before, .uplot *::after { box-sizing: border-box; }
.uplot { width: min-content; }
.u-wrap { position: relative; user-select: none; }
.u-over, .u-under { position: absolute; }
.uplot canvas { display: block; position: relative; width: 100%; height: 100%; }
.u-legend, .u-select, .u-cursor-x, .u-cursor-y, .u-cursor-pt { display: none; }
`;
