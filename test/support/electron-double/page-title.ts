import type { Cdp } from './cdp.ts'

const WORLD = 'double-title'

/** Reports all title changes of the main frame. The browser's own events are throttled. */
export function watchTitle(cdp: Cdp, titled: (title: string) => void): void {
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === '__doubleTitle') titled(payload)
  })
  const sent = [
    cdp.send('Runtime.enable'),
    cdp.send('Runtime.addBinding', { name: '__doubleTitle', executionContextName: WORLD }),
    cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${pageSide.toString()})()`,
      worldName: WORLD,
    }),
  ]
  for (const one of sent) one.catch(() => undefined)
}

/** Runs in an isolated world of the page. It is injected as source code. */
function pageSide(): void {
  if (window.top !== window) return
  const tell: (title: string) => void = Reflect.get(globalThis, '__doubleTitle')
  let last = ''
  new MutationObserver(() => {
    if (document.title === last) return
    last = document.title
    tell(last)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
