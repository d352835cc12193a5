import type { Cdp } from './cdp.ts'

const WORLD = 'double-title'

/** Tells each title that the main frame of a page gives itself: the browser tells of them only now and then. */
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

/** Runs in a world of its own in the page, where it gets as source. */
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
