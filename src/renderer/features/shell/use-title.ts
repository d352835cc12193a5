import { useEffect } from 'react'
import { useLogs } from '../logs/store.ts'
import { visible } from '../../components/text/visible.ts'
import { railFoot, railGroups, type PageName } from './pages.ts'

/** The document's title: the window, the tab and a screen reader tell by it which page this is. `log`: the one that is shown. */
export function useTitle(page: PageName, log: number | null): void {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  const label = [...railGroups.flat(), ...railFoot].find((entry) => entry.name === page)?.label
  const title = [name === undefined ? undefined : visible(name), label, 'Tabscope']
    .filter((part) => part !== undefined)
    .join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}
