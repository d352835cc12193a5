import type { Page, Tab } from '#client/addresses/page.ts'
import { listAddress, useListAddress } from '#client/addresses/deliveries.ts'
import { logOf } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'

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

const [{ tabs: [live] } = { tabs: [] }] = pages
const addresses = new Map<Tab, string>()
const tabs = new Map<Page, Tab>()

useShell.subscribe(({ hash }) => {
  const { page, tab } = placeOf(hash)
  tabs.set(page, tab)
  if (logOf(hash) === null) addresses.set(tab, hash)
})

/** Where a tab was left. The list keeps its filter and its open delivery itself. */
export function tabAddress(tab: Tab): string {
  return tab === live ? listAddress(null) : (addresses.get(tab) ?? tab.address)
}

/** The address of a link to a tab: where it was left, or its start if it is open. */
export function useTabAddress(): (tab: Tab) => string {
  useListAddress(null)
  const open = useShell(({ hash }) => placeOf(hash).tab)
  return (tab) => (tab === open && tab !== live ? tab.address : tabAddress(tab))
}

/** The tab in which a page was left. */
export function lastTab(page: Page): Tab {
  return tabs.get(page) ?? page.tabs[0]
}
