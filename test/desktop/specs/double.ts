import { expect } from 'vitest'
import { openDesktop } from '../../support/electron-double/launch.ts'
import { root } from '../harness.ts'
import type { Binary, Chosen, Shown } from './app-under-test.ts'

/** The double: what the app did is read from the output of the double. */
export async function openDouble(): Promise<Binary> {
  const desktop = await openDesktop()
  const begin = (args: readonly string[], { open, save }: Chosen = {}) =>
    desktop.start({
      root,
      args,
      env: {
        ...(open === undefined ? {} : { DOUBLE_OPEN: open }),
        ...(save === undefined ? {} : { DOUBLE_SAVE: save }),
      },
    })
  return {
    interfaceAt: 'https://tabscope.invalid',
    async start(args, chosen) {
      const app = begin(args, chosen)
      const all = (pattern: RegExp): string[] =>
        Array.from(app.output().matchAll(pattern), ([, found]) => found ?? '')
      return {
        window: () => app.window(),
        // Of the app itself: what a page opens is closed at once.
        nextWindow: () => desktop.nextPage({ isPopup: false }),
        closeWindow: (page) => desktop.closePage(page),
        menuIds: async () => {
          app.simulate({ kind: 'menu-ids' })
          await expect.poll(() => app.output()).toMatch(/^\[menu\] ids: .*$/m)
          return (
            all(/^\[menu\] ids: (.*)$/gm)
              .at(-1)
              ?.split(' ') ?? []
          )
        },
        chooseInMenu: async (id) => app.simulate({ kind: 'menu-id', id }),
        lastTitle: async () => all(/^\[window \d+\] title: (.*)$/gm).at(-1) ?? '',
        cameForward: () => expect.poll(() => app.output()).toContain('[window] focused'),
        dialogs: async () =>
          Array.from(
            app.output().matchAll(/^\[dialog\] (open|save) (.*?): (.*)$/gm),
            ([, kind, over, options = '']): Shown => ({
              kind: kind === 'open' ? 'open' : 'save',
              overWindow: over === 'over the window',
              options,
            }),
          ),
        openedOutside: async () => all(/^\[shell\] (.*)$/gm),
        output: () => app.output(),
        exited: app.exited,
        quit: () => {
          app.simulate({ kind: 'quit' })
          return app.exited
        },
        kill: async () => {
          app.kill('SIGKILL')
          await app.exited
        },
      }
    },
    async run(args) {
      const app = begin(args)
      return { code: await app.exited, output: app.output() }
    },
    close: () => desktop.close(),
  }
}
