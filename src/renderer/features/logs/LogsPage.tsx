import {
  FileInput,
  FileOutput,
  ShieldCheck,
  CircleAlert,
  Eye,
  ShieldOff,
  ShieldQuestion,
  Trash2,
} from 'lucide-react'
import { Text, Row, Stack, Grid } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Page, Card } from '../../ui/Page.tsx'
import { useKeys } from '../../platform/command-registry.ts'
import { useShell, useCan } from '../../state/app.ts'
import { askExport } from './export/asking.ts'
import { useLogs, takeLogs } from '../../state/logs.ts'
import { TransferList } from './TransferList.tsx'
import { useState, useRef, type Ref } from 'react'
import type { EventLog, RedactionRule } from '#contract/logs.ts'
import { focusAfter } from '../../ui/focus.ts'
import { counted, byteSize, count } from '../../ui/text/numbers.ts'
import { RemoveLog } from './RemoveLog.tsx'
import { LearnMore } from '../help/index.ts'
import { useClient } from '../../platform/use-client.ts'
import { askForFile, takeFiles } from './import/take-files.ts'
import { sentence } from '../../platform/call-error.ts'
import { RuleRows } from './rules/RuleRows.tsx'
import { redactedValues, redactionLimits } from '#contract/redaction.ts'
import { Fold } from '../../ui/Fold.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { fullTime, shortDate } from '../../ui/text/time.ts'
import { cut, visible } from '../../ui/text/visible.ts'
import { useListAddress } from '../../routes/use-list-address.ts'
import { redactedWord, logStateLabels, timeSpan } from './labels.ts'
import './Logs.css'

/** One imported log: what is in it, whether it can be relied on, and what can be done with it. */
function LogRow({ log, onRemove }: { readonly log: EventLog; readonly onRemove: () => void }) {
  // One that is open is found as it was left.
  const address = useListAddress(log.id)
  const name = visible(cut(log.name, 120))
  const state = logStateLabels[log.state]
  return (
    <Stack as="li" gap={3} pad={[5, 6]} className="log" data-state={log.state}>
      <Row wrap align="center" gap={4} gapX={6}>
        <Stack gap={1} className="log-words">
          <h3>
            <a className="log-open" href={address}>
              {name}
            </a>
          </h3>
          <Row as="p" wrap dotted tone="mid" size="s">
            <span>
              <b>{count(log.deliveries)}</b> {log.deliveries === 1 ? 'delivery' : 'deliveries'}
            </span>
            <span title={spanTitle(log)}>{timeSpan(log.firstAt, log.lastAt)}</span>
            <span>{byteSize(log.bytes)}</span>
            <Row as="span" inline align="center" gap={2} icon="xs">
              <RedactedIcon redacted={log.redacted} /> {redactedWord(log.redacted)}
            </Row>
          </Row>
          <Text as="p" size="s" anywhere tone="dim">
            <Shown text={fromWords(log)} />
            <span title={fullTime(log.importedAt)}>, imported {shortDate(log.importedAt)}</span>
          </Text>
        </Stack>
        <Text as="div" measure="label" title={state.about}>
          <StateMark tone={state.tone} icon={state.icon} word={state.word} />
        </Text>
        <Row gap={2} align="center">
          <a className="button" data-kind="plain" href={address} aria-label={`Open ${name}`}>
            <Eye aria-hidden /> Open
          </a>
          <IconButton
            label={`Export ${name} again`}
            onClick={() => askExport({ log: log.id, which: 'all' })}
          >
            <FileOutput aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        </Row>
      </Row>
      {(log.state !== 'whole' || log.problems.length > 0) && <Problems log={log} />}
    </Stack>
  )
}

const shownAtOnce = 2

/** What is missing or was left out, in sentences; the rest on demand. */
function Problems({ log: { state, problems } }: { readonly log: EventLog }) {
  const { about, tone } = logStateLabels[state]
  const all = state === 'whole' ? problems : [about, ...problems]
  const rest = all.slice(shownAtOnce)
  return (
    <Grid
      columns="auto 1"
      gap={4}
      pad={[3, 5]}
      round="m"
      ground="state"
      size="s"
      anywhere
      data-tone={state === 'whole' ? 'missing' : tone}
    >
      <CircleAlert className="above-1 tone-state" aria-hidden />
      <div>
        <Sentences of={all.slice(0, shownAtOnce)} />
        {rest.length > 0 && (
          <Fold summary={counted(rest.length, 'more', 'more')}>
            <Sentences of={rest} />
          </Fold>
        )}
      </div>
    </Grid>
  )
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((text, index) => (
        // Fixed once it was imported: their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Shown text={cut(text, 400)} />
        </li>
      ))}
    </ul>
  )
}

function RedactedIcon({ redacted }: { readonly redacted: boolean | null }) {
  if (redacted === null) return <ShieldQuestion aria-hidden />
  return redacted ? <ShieldCheck aria-hidden /> : <ShieldOff aria-hidden />
}

function fromWords({ app, format, exportedAt }: EventLog): string {
  const who = app === '' ? format.toUpperCase() : cut(app, 60)
  return exportedAt === null ? `from ${who}` : `from ${who}, exported ${shortDate(exportedAt)}`
}

function spanTitle({ firstAt, lastAt }: EventLog): string | undefined {
  return firstAt === null || lastAt === null
    ? undefined
    : `${fullTime(firstAt)} to ${fullTime(lastAt)}`
}

/** What every redacted export replaces without a rule, and what it does not. */
const byItself = [
  ...Object.values(redactedValues).map(({ label, values }) => ({ what: label, how: values })),
  {
    what: 'Digests and lengths of redacted bodies',
    how: 'since values could be tried until one fits. The verdict stays as it was at capture.',
  },
  {
    what: 'The same value becomes the same pseudonym',
    how: 'within one file. It cannot be reversed: the key is discarded.',
  },
  { what: 'Not replaced:', how: redactionLimits },
] as const

/** What is redacted of every export: by itself, and by the user's own rules. */
function RulesCard() {
  const client = useClient()
  const rules = useLogs((state) => state.rules)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function change(next: RedactionRule[]): Promise<boolean> {
    setBusy(true)
    setError(null)
    try {
      takeLogs(await client.call('logs.setRules', { rules: next }))
      return true
    } catch (reason) {
      setError(sentence(reason))
      return false
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card
      title="Redaction"
      note="What every redacted export replaces. Each export shows it beforehand."
    >
      <section aria-labelledby="by-itself">
        <Text as="h3" size="s" weight="semibold" id="by-itself">
          Always redacted
        </Text>
        <Stack as="ul" gap={2} above={3} tone="mid">
          {byItself.map(({ what, how }) => (
            <Row as="li" gap={4} key={what}>
              <ShieldCheck className="above-1 tone-valid" aria-hidden />
              <span>
                <Text as="b" tone="ink" weight="semibold">
                  {what}
                </Text>{' '}
                {how}
              </span>
            </Row>
          ))}
        </Stack>
      </section>
      <Stack as="section" gap={2} aria-labelledby="own-rules">
        <Text as="h3" size="s" weight="semibold" id="own-rules">
          Your own rules
        </Text>
        <Text as="p" tone="dim" size="s">
          The values of a header, or what stands at a path of a JSON body. They are kept, and every
          export follows them.
        </Text>
        <RuleRows
          rules={rules}
          label="Rules for every export"
          busy={busy}
          error={error}
          onChange={change}
        />
      </Stack>
    </Card>
  )
}

/** Logs that were imported, what is being exported or imported, and what every export takes out. */
export function LogsPage() {
  const logs = useLogs((state) => state.logs)
  const kept = useShell((state) => state.stats.deliveries)
  useKeys({ 'logs-export': exportAll })
  return (
    <Page
      title="Event logs"
      lead="Deliveries as a file: to hand to somebody else, and to look into what they saw."
      help={<LearnMore page="event-logs" />}
      actions={
        <Row fixed gap={4}>
          {logs.length > 0 && <ImportButton />}
          <Button kind="primary" hint="s" icon={<FileOutput aria-hidden />} onClick={exportAll}>
            Export…
          </Button>
        </Row>
      }
    >
      <TransferList />
      {logs.length > 0 ? <LogList logs={logs} /> : <NoLog kept={kept} />}
      <RulesCard />
    </Page>
  )
}

function exportAll(): void {
  askExport({ log: null, which: 'all' })
}

/** Nothing was imported: what that is for, and the two ways to begin. */
function NoLog({ kept }: { readonly kept: number }) {
  return (
    <Stack
      as="section"
      gap={4}
      pad={8}
      center
      icon="xl"
      round="l"
      className="logs-none"
      aria-label="Imported logs"
    >
      <FileInput className="tone-accent" strokeWidth={1.6} aria-hidden />
      <Text as="h2" size="l">
        Drop an event log here
      </Text>
      <Text as="p" tone="mid">
        Somebody sent you one? Drop it anywhere on this window, or choose it. It opens beside your
        own deliveries, read-only, with list, filter, trace and diff.
      </Text>
      <ImportButton />
      <Text as="p" tone="dim" size="s">
        {kept === 0
          ? 'Event logs of Tabscope (.ndjson, also .gz), and HAR files.'
          : 'Event logs of Tabscope (.ndjson, also .gz), and HAR files. To send one yourself, export it: secrets and guests’ data are redacted first.'}
      </Text>
    </Stack>
  )
}

/** The logs that were imported, last first. */
function LogList({ logs }: { readonly logs: readonly EventLog[] }) {
  const [removing, setRemoving] = useState<EventLog | null>(null)
  return (
    <Stack as="section" gap={4} aria-label="Imported logs">
      <Row as="header" wrap gap={1} gapX={4} align="baseline">
        <h2>Imported</h2>
        <Text as="p" size="s" tone="dim">
          {counted(logs.length, 'log', 'logs')}, read-only, beside your own deliveries
        </Text>
      </Row>
      <Stack as="ul" lined frame>
        {logs.map((log) => (
          <LogRow key={log.id} log={log} onRemove={() => setRemoving(log)} />
        ))}
      </Stack>
      <RemoveLog
        log={removing}
        onClose={() => setRemoving(null)}
        onRemoved={({ id }) =>
          focusAfter(
            () => {
              setRemoving(null)
              useLogs.setState((before) => ({ logs: before.logs.filter((log) => log.id !== id) }))
            },
            // What asked is gone with its log.
            () =>
              document.querySelector<HTMLElement>('.log-open') ??
              document.querySelector<HTMLElement>('[data-import]'),
          )
        }
      />
    </Stack>
  )
}

interface Props {
  readonly kind?: 'plain' | 'primary'
  readonly buttonRef?: Ref<HTMLButtonElement>
}

/** Chooses files to import: by the host's dialog, or by the browser's. */
function ImportButton({ kind = 'plain', buttonRef }: Props) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const input = useRef<HTMLInputElement>(null)
  function choose(): void {
    if (dialogs) void askForFile(client)
    else input.current?.click()
  }
  useKeys({ 'logs-import': choose })
  return (
    <>
      <Button
        ref={buttonRef}
        kind={kind}
        hint="i"
        icon={<FileInput aria-hidden />}
        onClick={choose}
        data-import
      >
        Import…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Event logs to import"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          takeFiles(client, files)
        }}
      />
    </>
  )
}
