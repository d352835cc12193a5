import type { Page, Tab } from '#client/addresses/page.ts'

const modules = import.meta.glob<{ page: Page }>('../pages/*/page.ts', { eager: true })

/** The entries of the rail, in order. */
export const pages: readonly Page[] = Object.values(modules)
  .map(({ page }) => page)
  .toSorted((one, other) => one.order - other.order)

export const allTabs: readonly Tab[] = pages.flatMap(({ tabs }) => tabs)

/** The page and the tab of a URL: `#/send/scenarios/friday`, `#/send`. Anything else opens the deliveries. */
export function placeOf(hash: string): { readonly page: Page; readonly tab: Tab } {
  const [path = ''] = hash.split('?')
  const page =
    pages.find(
      ({ name, tabs }) => isIn(path, `#/${name}`) || tabs.some((tab) => isAt(path, tab)),
    ) ?? pages[0]
  if (!page) throw new Error('There is no page.')
  return { page, tab: page.tabs.find((tab) => isAt(path, tab)) ?? page.tabs[0] }
}

function isAt(path: string, { address }: Tab): boolean {
  return isIn(path, address)
}

function isIn(path: string, address: string): boolean {
  return path === address || path.startsWith(`${address}/`)
}
