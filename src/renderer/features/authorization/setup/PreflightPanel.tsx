import { Check, TriangleAlert, Wrench, X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Preflight, PreflightCheck } from '#contract/integrations.ts'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { StateMark } from '../../../components/StateMark.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { copyText } from '../../../platform/clipboard.ts'

interface Props {
  readonly looked: {
    readonly preflight: Preflight | null
    readonly error: string | null
    readonly behind: boolean
  }
  /** While a suggestion is taken. */
  readonly busy: boolean
  readonly error: string | null
  readonly onTake: (check: PreflightCheck) => void
}

const fields: Readonly<Record<PreflightCheck['field'], string>> = {
  baseUrl: 'Base URL',
  accessId: 'Access ID',
  accessSecret: 'Access secret',
  redirectUrl: 'Redirect URL',
}

const order: Readonly<Record<PreflightCheck['outcome'], number>> = { error: 0, warning: 1, ok: 2 }

/** What would keep a flow from beginning, looked at before anything opens. */
export function PreflightPanel({ looked, busy, error, onTake }: Props) {
  const { preflight } = looked
  return (
    <section className="panel preflight" aria-label="Preflight" aria-busy={looked.behind}>
      <header className="preflight-head">
        <h2 className="panel-title">Preflight</h2>
        {preflight && <Readiness preflight={preflight} />}
      </header>
      {looked.error !== null && (
        <Note tone="invalid" alert>
          {looked.error}
        </Note>
      )}
      {error !== null && (
        <Note tone="invalid" alert>
          {error}
        </Note>
      )}
      {preflight && (
        <>
          <ul className="checks" aria-label="Checks">
            {preflight.checks
              .toSorted((a, b) => order[a.outcome] - order[b.outcome])
              .map((check) => (
                <CheckLine
                  key={`${check.code} ${check.message}`}
                  check={check}
                  busy={busy}
                  onTake={onTake}
                />
              ))}
          </ul>
          {preflight.redirectUrl !== '' && (
            <Exact
              title="Must equal the dashboard’s entry to the byte"
              label="Copy redirect URL"
              text={preflight.redirectUrl}
              note={
                preflight.comesBack === 'served'
                  ? 'Tabscope listens there while a flow waits.'
                  : 'Nothing of ours listens there: the address that one lands on is pasted.'
              }
            />
          )}
          {preflight.authorizeUrl !== null && (
            <Exact
              title="Opened for the user"
              label="Copy authorization address"
              text={preflight.authorizeUrl}
            />
          )}
          {preflight.tokenUrl !== null && (
            <Exact
              title="Called for the token"
              label="Copy token endpoint"
              text={preflight.tokenUrl}
            />
          )}
        </>
      )}
    </section>
  )
}

function Readiness({ preflight }: { readonly preflight: Preflight }) {
  const errors = preflight.checks.filter(({ outcome }) => outcome === 'error').length
  const warnings = preflight.checks.filter(({ outcome }) => outcome === 'warning').length
  if (!preflight.ready) {
    return (
      <StateMark tone="invalid" icon={X} word={`${counted(errors, 'thing', 'things')} to mend`} />
    )
  }
  return warnings > 0 ? (
    <StateMark tone="missing" icon={TriangleAlert} word="Ready, with a doubt" />
  ) : (
    <StateMark tone="valid" icon={Check} word="Ready" />
  )
}

interface Face {
  readonly tone: 'valid' | 'missing' | 'invalid'
  readonly icon: LucideIcon
  readonly word: string
}

function faceOf(outcome: PreflightCheck['outcome']): Face {
  switch (outcome) {
    case 'ok':
      return { tone: 'valid', icon: Check, word: 'In order' }
    case 'warning':
      return { tone: 'missing', icon: TriangleAlert, word: 'Doubtful' }
    case 'error':
      return { tone: 'invalid', icon: X, word: 'To mend' }
  }
}

interface CheckProps {
  readonly check: PreflightCheck
  readonly busy: boolean
  readonly onTake: (check: PreflightCheck) => void
}

function CheckLine({ check, busy, onTake }: CheckProps) {
  const { tone, icon, word } = faceOf(check.outcome)
  return (
    <li data-outcome={check.outcome}>
      <StateMark tone={tone} icon={icon} word={word} />
      <p>
        <span className="check-field">{fields[check.field]}</span>
        <Shown text={check.message} />
      </p>
      {check.suggestion !== null && (
        <div className="check-mend">
          <code className="mono">
            <Shown text={check.suggestion} />
          </code>
          <Button icon={<Wrench aria-hidden />} busy={busy} onClick={() => onTake(check)}>
            Use this
          </Button>
        </div>
      )}
    </li>
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
    <div className="exact">
      <h3>{title}</h3>
      <div className="exact-line">
        <code className="mono selectable">
          <Shown text={text} />
        </code>
        <CopyButton text={text} label={label} copy={copyText} />
      </div>
      {note !== undefined && <p className="field-hint">{note}</p>}
    </div>
  )
}
