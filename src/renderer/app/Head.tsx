import type { ReactNode } from 'react'
import { closeScope, useOpenLogs } from '#pages/deliveries/feed/feeds.ts'
import { useListAddress } from '#client/addresses/deliveries.ts'
import type { Page, Tab } from '#client/addresses/page.ts'
import { useLogs } from '#client/state/logs.ts'
import { IconButton } from '#kit/Button.tsx'
import { Icons } from '#kit/icons.tsx'
import { PageHead, TabLink } from '#kit/PageHead.tsx'
import { escapeControls, truncate } from '#kit/text/visible.ts'
import { noteOfTab, useNotes } from './notes.ts'
import { useTabAddress } from './pages.ts'

interface Props {
  page: Page
  tab: Tab
  log: number | null
  children: ReactNode
}

/** The head of the open page, with the tabs of the page. Open event logs follow the tabs of the deliveries. */
export function Head({ page, tab: open, log, children }: Props) {
  const notes = useNotes()
  const addressOf = useTabAddress()
  const { name, label, tabs } = page
  return (
    <PageHead
      title={label}
      low={name === 'deliveries'}
      tabs={
        tabs.length > 1 && (
          <>
            {tabs.map((tab) => (
              <TabLink
                key={tab.address}
                href={addressOf(tab)}
                current={tab === open && log === null}
                note={noteOfTab(tab, notes)}
              >
                {tab.label}
              </TabLink>
            ))}
            {name === 'deliveries' && <OpenLogs shown={log} />}
          </>
        )
      }
    >
      {children}
    </PageHead>
  )
}

function OpenLogs({ shown }: { shown: number | null }) {
  const ids = useOpenLogs((state) => state.ids)
  const logs = useLogs((state) => state.logs)
  return ids.map((id) => {
    const log = logs.find((candidate) => candidate.id === id)
    return log && <LogTab key={id} id={id} name={log.name} current={id === shown} />
  })
}

interface LogTabProps {
  id: number
  name: string
  current: boolean
}

function LogTab({ id, name, current }: LogTabProps) {
  const title = escapeControls(truncate(name, 80))
  return (
    <TabLink
      href={useListAddress(id)}
      current={current}
      after={
        <IconButton label={`Close ${title}`} onClick={() => closeScope(id, current)}>
          <Icons.X />
        </IconButton>
      }
    >
      {title}
    </TabLink>
  )
}
