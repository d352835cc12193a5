import { useState } from 'react'
import { plural } from '#shared/text/format.ts'
import { Icons } from '../../../ui/icons.tsx'
import type { Integration, Preflight, PreflightCheck } from '#contract/integrations.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { Button, CopyButton } from '../../../ui/Button.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { StateMark } from '../../../ui/StateMark.tsx'
import { ErrorNote } from '../../../ui/Note.tsx'
import { runCommand, useKeys } from '../../../platform/command-registry.ts'
import { useQuery } from '../../../platform/use-client.ts'
import { LearnMore } from '../../help/index.ts'

interface Props {
  readonly result: {
    readonly preflight: Preflight | null
    readonly error: string | null
    readonly stale: boolean
  }
  readonly integration: Integration
  readonly busy: boolean
  readonly error: string | null
  readonly onApply: (check: PreflightCheck) => void
}

const fields: Readonly<Record<PreflightCheck['field'], string>> = {
  baseUrl: 'Base URL',
  accessId: 'Access ID',
  accessSecret: 'Access secret',
  redirectUrl: 'Redirect URL',
}

const order: Readonly<Record<PreflightCheck['outcome'], number>> = { error: 0, warning: 1, ok: 2 }

/** Checks that find what would prevent an authorization, before anything opens. */
export function PreflightPanel({ result, integration, busy, error, onApply }: Props) {
  const { preflight } = result
  const { id, kind, baseUrl } = integration
  const [round, setRound] = useState(0)
  const canConnect = kind === 'service' && /^https?:/i.test(baseUrl)
  useKeys({ ...(canConnect && { 'check-service': () => setRound((last) => last + 1) }) })
  return (
    <Stack
      as="section"
      gap={5}
      pad={6}
      frame
      className="preflight"
      aria-label="Preflight"
      aria-busy={result.stale}
    >
      <Row as="header" align="center" justify="between">
        <Text as="h2" size="m">
          Preflight
        </Text>
        <Row align="center" gap={5}>
          {preflight && <Readiness preflight={preflight} />}
          <LearnMore page="authorization" section="set-up-an-integration" />
        </Row>
      </Row>
      <ErrorNote error={result.error} />
      <ErrorNote error={error} />
      {preflight && (
        <>
          <ul aria-label="Checks">
            {preflight.checks
              .toSorted((a, b) => order[a.outcome] - order[b.outcome])
              .map((check) => (
                <CheckLine
                  key={`${check.code} ${check.message}`}
                  check={check}
                  busy={busy}
                  onApply={onApply}
                />
              ))}
          </ul>
          {canConnect && <Connection key={`${baseUrl} ${round}`} id={id} />}
          {preflight.redirectUrl !== '' && (
            <Exact
              title="Must match the dashboard entry exactly"
              label="Copy redirect URL"
              text={preflight.redirectUrl}
              note={
                preflight.redirectMode === 'served'
                  ? 'Tabscope listens there while a run waits.'
                  : 'Tabscope does not listen there. Paste the redirect address instead.'
              }
            />
          )}
          {preflight.authorizeUrl !== null && (
            <Exact
              title="Authorization page"
              label="Copy authorization address"
              text={preflight.authorizeUrl}
            />
          )}
          {preflight.tokenUrl !== null && (
            <Exact title="Token endpoint" label="Copy token endpoint" text={preflight.tokenUrl} />
          )}
        </>
      )}
    </Stack>
  )
}

function Readiness({ preflight }: { readonly preflight: Preflight }) {
  const errors = preflight.checks.filter(({ outcome }) => outcome === 'error').length
  const warnings = preflight.checks.filter(({ outcome }) => outcome === 'warning').length
  if (!preflight.ready) {
    return (
      <StateMark
        tone="invalid"
        icon={Icons.X}
        word={`${plural(errors, 'problem', 'problems')} to fix`}
      />
    )
  }
  return warnings > 0 ? (
    <StateMark
      tone="warning"
      icon={Icons.TriangleAlert}
      word={`Ready, ${plural(warnings, 'warning', 'warnings')}`}
    />
  ) : (
    <StateMark tone="valid" icon={Icons.Check} word="Ready" />
  )
}

const outcomes = {
  ok: { tone: 'valid', icon: Icons.Check, word: 'Passed' },
  warning: { tone: 'warning', icon: Icons.TriangleAlert, word: 'Warning' },
  error: { tone: 'invalid', icon: Icons.X, word: 'Failed' },
} as const

interface CheckProps {
  readonly check: PreflightCheck
  readonly busy: boolean
  readonly onApply: (check: PreflightCheck) => void
}

function CheckLine({ check, busy, onApply }: CheckProps) {
  return (
    <Grid
      as="li"
      columns="key 1"
      collapse
      gap={3}
      gapX={4}
      align="start"
      pad={[4, 0]}
      line="top-soft"
      data-outcome={check.outcome}
    >
      <StateMark {...outcomes[check.outcome]} />
      <Stack shrink>
        <Text as="small" size="xs" tone="dim">
          {fields[check.field]}
        </Text>
        <Text as="p" anywhere>
          <Shown text={check.message} />
        </Text>
      </Stack>
      {check.suggestion !== null && (
        <Row wrap align="center" justify="between" gap={3} gapX={4} className="check-fix">
          <Text as="code" mono anywhere shrink>
            <Shown text={check.suggestion} />
          </Text>
          <Button icon={Icons.Wrench} busy={busy} onClick={() => onApply(check)}>
            Use this
          </Button>
        </Row>
      )}
    </Grid>
  )
}

const probeLooks = {
  answers: { tone: 'valid', icon: Icons.Check, word: 'Answers' },
  error: { tone: 'warning', icon: Icons.TriangleAlert, word: 'Answers with an error' },
  unreachable: { tone: 'warning', icon: Icons.TriangleAlert, word: 'Does not answer' },
} as const

/** Whether the service answers at its stored base URL. An authorization can start without that. */
function Connection({ id }: { readonly id: number }) {
  const { state } = useQuery('integrations.probe', { id })
  return (
    <Stack as="section" gap={2} aria-label="Connection to the service">
      <Row align="center" justify="between">
        <Text as="h3" size="s" weight="semibold" tone="mid">
          Connection to the service
        </Text>
        <Button
          small
          icon={Icons.RotateCw}
          busy={state.phase === 'loading'}
          onClick={() => runCommand('check-service')}
        >
          Check again
        </Button>
      </Row>
      {state.phase === 'loading' ? (
        <Text as="p" tone="dim" role="status">
          Connecting…
        </Text>
      ) : state.phase === 'failed' ? (
        <ErrorNote error={state.message} />
      ) : (
        <div role="status">
          <StateMark {...probeLooks[state.value.outcome]} />
          <Text as="p" anywhere>
            <Shown text={state.value.message} />
          </Text>
          <p className="field-hint anywhere">
            Requested: <Shown text={state.value.requested} />, without parameters and credentials.
          </p>
        </div>
      )}
    </Stack>
  )
}

interface ExactProps {
  readonly title: string
  readonly label: string
  readonly text: string
  readonly note?: string
}

function Exact({ title, label, text, note }: ExactProps) {
  return (
    <Stack gap={2}>
      <Text as="h3" size="s" weight="semibold" tone="mid">
        {title}
      </Text>
      <Row align="center" justify="between" gap={3} pad={[2, 4]} round="m" background="sunken">
        <Text as="code" mono selectable anywhere shrink>
          <Shown text={text} />
        </Text>
        <CopyButton text={text} label={label} />
      </Row>
      {note !== undefined && <p className="field-hint">{note}</p>}
    </Stack>
  )
}
