import { PreventableEvent } from './app.ts'
import type { WebContents } from './contents.ts'
import { openInterfacePage, type PageBehind } from './interface-page.ts'
import { onAction } from './actions.ts'

/** The interface's page, which can be reloaded after a renderer crash. The window then gets a new Chromium page. */
export async function openReloadablePage(
  contents: WebContents,
  preload: string,
  onClosed: () => void,
): Promise<PageBehind> {
  let current: PageBehind | undefined

  async function open(): Promise<PageBehind> {
    const page: PageBehind = await openInterfacePage(contents, preload, {
      closed: () => {
        if (current === page) onClosed()
      },
      crashed: () => {
        contents.crashed = true
        const details = { reason: 'crashed', exitCode: 5 }
        contents.emit('render-process-gone', new PreventableEvent(), details)
      },
    })
    current = page
    return page
  }

  let page = await open()
  onAction('crash-renderer', () => contents.forcefullyCrashRenderer())
  onAction('unresponsive', () => void contents.emit('unresponsive'))
  onAction('responsive', () => void contents.emit('responsive'))

  return {
    async load(url) {
      if (contents.crashed) {
        const dead = page
        page = await open()
        contents.crashed = false
        void dead.destroy().catch(() => undefined)
      }
      await page.load(url)
    },
    settled: async () => page.settled?.(),
    close: async () => page.close(),
    destroy: async () => page.destroy(),
  }
}
