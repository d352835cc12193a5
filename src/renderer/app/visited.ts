import { listAddress, useListAddress } from '#client/addresses/deliveries.ts'
import { logOf } from '#client/addresses/logs.ts'
import type { Page, Tab } from '#client/addresses/page.ts'
import { useShell } from '#client/state/app.ts'
import { pages, placeOf } from './pages.ts'

const [{ tabs: [live] } = { tabs: [] }] = pages
/** The last address of each tab, and the last tab of each page. */
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
