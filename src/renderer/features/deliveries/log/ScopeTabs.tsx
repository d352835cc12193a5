import { Icons } from '../../../ui/icons.tsx'
import { Row } from '../../../ui/Layout.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { useLogs } from '../../../state/logs.ts'
import { closeLog, useOpenLogs } from '../feed/feeds.ts'
import { type Scope, useLog } from '../../../state/scope.ts'
import { listAddress, useListAddress } from '../../../routes/deliveries.ts'
import './ScopeTabs.css'

/** Tabs above the list while logs are open: the live deliveries and each open log. */
export function ScopeTabs() {
  const ids = useOpenLogs((state) => state.ids)
  const logs = useLogs((state) => state.logs)
  const open = ids.flatMap((id) => logs.find((log) => log.id === id) ?? [])
  if (open.length === 0) return null
  return (
    <nav className="line-bottom background-sunken fixed scope-tabs" aria-label="Open lists">
      <Row as="ul" gap={1}>
        <ScopeTab scope={null} name="Live" />
        {open.map(({ id, name }) => (
          <ScopeTab key={id} scope={id} name={escapeControls(truncate(name, 80))} />
        ))}
      </Row>
    </nav>
  )
}

function ScopeTab({ scope, name }: { readonly scope: Scope; readonly name: string }) {
  const address = useListAddress(scope)
  const here = useLog() === scope
  return (
    <li data-here={here || undefined}>
      <a href={address} aria-current={here ? 'page' : undefined} title={name}>
        {scope === null ? <Icons.Inbox /> : <Icons.ScrollText />}
        <span className="cut">{name}</span>
      </a>
      {scope !== null && (
        <IconButton label={`Close ${name}`} onClick={() => closeScope(scope, here)}>
          <Icons.X />
        </IconButton>
      )}
    </li>
  )
}

/** Closes a log. If it is shown, navigates to the live deliveries. */
export function closeScope(log: number, here: boolean): void {
  closeLog(log)
  if (here) location.assign(listAddress(null))
}
