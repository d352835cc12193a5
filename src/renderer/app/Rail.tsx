import { formatCount } from '#shared/text/format.ts'
import { Text, Row, Stack } from '../ui/Layout.tsx'
import { Logo } from '../ui/Logo.tsx'
import { isRunActive, useAuthorization } from '../state/authorization.ts'
import { useCompose } from '../features/compose/index.ts'
import { useListAddress } from '../routes/deliveries.ts'
import { useEndpoints } from '../state/endpoints.ts'
import { useJobs } from '../state/jobs.ts'
import { isTransferActive as isMoving, useLogs } from '../state/logs.ts'
import { useRehearsals } from '../state/rehearsals.ts'
import { useSandbox } from '../state/sandbox.ts'
import { type PageName, railFoot, railGroups } from '../routes/pages.ts'
import { useShell } from '../state/app.ts'
import './Rail.css'

export function Rail() {
  return (
    <nav className="rail" aria-label="Pages">
      <Row align="center" gap={4} className="brand">
        <Logo />
        <span className="rail-word">Tabscope</span>
      </Row>
      <Stack column className="rail-pages">
        {railGroups.map((group) => (
          <ul key={group[0]?.name}>
            {group.map((entry) => (
              <RailLink key={entry.name} {...entry} />
            ))}
          </ul>
        ))}
        <ul className="rail-foot">
          {railFoot.map((entry) => (
            <RailLink key={entry.name} {...entry} />
          ))}
        </ul>
      </Stack>
    </nav>
  )
}

function RailLink({ name, label, icon: Icon }: (typeof railFoot)[number]) {
  const current = useShell((state) => state.page === name)
  // The link restores the last state of the list.
  const list = useListAddress(null)
  const draft = useCompose((state) => state.address)
  return (
    <li>
      <a
        href={name === 'deliveries' ? list : name === 'compose' && !current ? draft : `#/${name}`}
        aria-current={current ? 'page' : undefined}
        title={label}
      >
        <Icon aria-hidden strokeWidth={1.75} />
        <span className="rail-word">{label}</span>
        <RailNote name={name} />
      </a>
    </li>
  )
}

function RailNote({ name }: { readonly name: PageName }) {
  const stale = useShell((state) => state.stale)
  const deliveries = useShell((state) => state.stats.deliveries)
  const endpoints = useEndpoints((state) => state.endpoints.length)
  const running = useSandbox((state) => state.sandbox.running)
  const waiting = useAuthorization(({ runs }) => runs.some(isRunActive))
  const resending = useJobs(({ jobs }) =>
    [...jobs.values()].some(({ state }) => state === 'running'),
  )
  const rehearsing = useRehearsals(({ runs }) =>
    [...runs.values()].some(({ state }) => state === 'running'),
  )
  const moving = useLogs(({ exports, imports }) => [...exports, ...imports].some(isMoving))
  const logs = useLogs((state) => state.logs.length)
  const notes: Partial<Record<PageName, string | false>> = {
    deliveries: deliveries > 0 && formatCount(deliveries),
    jobs: resending && 'running',
    rehearse: rehearsing && 'running',
    authorization: waiting && 'waiting',
    endpoints: endpoints > 1 && formatCount(endpoints),
    sandbox: running && 'running',
    logs: moving ? 'running' : logs > 0 && formatCount(logs),
  }
  const note = notes[name]
  return !note || stale ? null : (
    <Text push tone="dim" size="xs" weight="medium" className="rail-note" aria-hidden>
      {note}
    </Text>
  )
}
