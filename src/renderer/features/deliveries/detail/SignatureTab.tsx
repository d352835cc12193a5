import { plural as counted } from '#shared/text/format.ts'
import { Check, Minus, X } from 'lucide-react'
import type { Delivery, SignatureReport, SignatureStep, Verdict } from '#contract/models.ts'
import { Grid, Stack, Row, Text } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { currentConclusion, useChecked } from './signature/conclusion.ts'
import { useState } from 'react'
import { DiagnosisView } from './signature/DiagnosisView.tsx'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { copyText } from '#renderer/platform/clipboard.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'
import { VerdictMark } from '../../../ui/Mark.tsx'
import { useCan } from '../../../state/app.ts'
import { TrySecret } from './signature/TrySecret.tsx'
import './signature/Why.css'
import './signature/RawBodyChecks.css'

const kept = 'tabscope.raw-body-check'

/** The correct check over the raw body, for a handler in each of the frameworks. `brand`: the word in the header's name. */
export function RawBodyChecks({ brand }: { readonly brand: string }) {
  const [id, setId] = useState(() => loadText(kept))
  const check = rawBodyChecks.find((one) => one.id === id) ?? rawBodyChecks[0]
  if (!check) return null
  const code = check.code(brand).trimEnd()
  return (
    <Stack
      as="section"
      gap={5}
      pad={[6, 6]}
      className="plain-card raw-checks"
      aria-labelledby="raw-checks"
    >
      <header>
        <h3 id="raw-checks">The check for your handler</h3>
        <p>
          The signature is over the bytes as they came. A body that was parsed and written out again
          may have other white space, escapes or numbers: one byte changed, and it does not match.
        </p>
      </header>
      <SelectField
        label="Framework"
        value={check.id}
        onChange={({ target }) => {
          setId(target.value)
          saveText(kept, target.value)
        }}
        hint={check.note.replaceAll('`', '')}
      >
        {rawBodyChecks.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </SelectField>
      <figure className="ground-sunken round-m framed shrink clip raw-check-code">
        <Row as="figcaption" align="center" gap={4} pad={[2, 5]} line="bottom" size="s">
          <span className="mono">{check.fileName}</span>
          <span className="dim">{check.language}</span>
          <CopyButton text={code} label={`Copy ${check.fileName}`} copy={copyText} words="Copy" />
        </Row>
        <pre
          className="mono selectable"
          role="region"
          aria-label={`Check for ${check.label}`}
          // It scrolls, so the keyboard must be able to reach it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          data-scrolls
        >
          {code}
        </pre>
      </figure>
    </Stack>
  )
}

/** Why the signature is right or wrong: the causes that were tried, the values, and the check told step by step. */
export function SignatureTab({ delivery }: { readonly delivery: Delivery }) {
  const { state, reload } = useChecked('deliveries.signature', delivery)
  switch (state.phase) {
    case 'loading':
      return <div className="plain-card ticket-coming" role="status" aria-label="Checking" />
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <Report report={state.value} delivery={delivery} />
  }
}

function Report({ report, delivery }: { report: SignatureReport; delivery: Delivery }) {
  const { ofLog } = report
  if (ofLog !== null) return <AsCaptured report={report} ofLog={ofLog} delivery={delivery} />
  return (
    <>
      {(report.changedSince || delivery.recheck) && (
        <Note tone="info">{currentConclusion(delivery, report)}</Note>
      )}
      <Why delivery={delivery} verdict={report.verdict} />
      <Stack
        as="section"
        gap={4}
        pad={[5, 6]}
        frame
        className="signature-values"
        aria-label="Signatures"
      >
        <Received report={report} />
        <h3 className="size-s mid">
          Computed{' '}
          <span className="weight-normal dim">
            HMAC-SHA256 over {counted(report.bytes, 'byte', 'bytes')} of raw body
          </span>
        </h3>
        {report.computed.length === 0 ? (
          <p className="dim">No secret is set, so there is nothing to compute with.</p>
        ) : (
          report.computed.map((one) => (
            <div key={one.secretName}>
              <p>
                <b>
                  <Shown text={one.secretName} />
                </b>{' '}
                secret
                <span className="tag" data-tone={one.matches ? 'valid' : 'invalid'}>
                  {one.matches ? <Check aria-hidden /> : <X aria-hidden />}
                  {one.matches ? 'matches' : 'does not match'}
                </span>
              </p>
              <Signature text={one.signature} name={`computed with ${one.secretName}`} />
            </div>
          ))
        )}
      </Stack>
      <h3 className="section-title">Step by step</h3>
      <ol className="framed lined steps" aria-label="Steps of the check">
        {report.steps.map((step) => (
          <Grid
            as="li"
            columns="auto 1"
            gap={4}
            align="start"
            pad={[4, 5]}
            key={step.label}
            data-tone={toneOf(step.outcome)}
          >
            <span className="disc" data-tone={toneOf(step.outcome)}>
              <StepIcon outcome={step.outcome} />
            </span>
            <div>
              <Text as="p" anywhere>
                {step.label}{' '}
                <span className="size-xs weight-semibold tone-state">{step.outcome}</span>
              </Text>
              <Text as="p" anywhere size="s" tone="dim">
                <Shown text={cut(step.detail, 600)} />
              </Text>
            </div>
          </Grid>
        ))}
      </ol>
    </>
  )
}

function toneOf(outcome: SignatureStep['outcome']): 'valid' | 'invalid' | 'unsigned' {
  switch (outcome) {
    case 'ok':
      return 'valid'
    case 'failed':
      return 'invalid'
    case 'skipped':
      return 'unsigned'
  }
}

function StepIcon({ outcome }: { readonly outcome: SignatureStep['outcome'] }) {
  switch (outcome) {
    case 'ok':
      return <Check aria-hidden strokeWidth={3} />
    case 'failed':
      return <X aria-hidden strokeWidth={3} />
    case 'skipped':
      return <Minus aria-hidden strokeWidth={3} />
  }
}

interface Props {
  readonly delivery: Delivery
  /** With the secrets of now. */
  readonly verdict: Verdict
}

/** Why the signature failed; of a valid one, folded, why a handler of one's own may refuse it. */
function Why({ delivery, verdict }: Props) {
  const [open, setOpen] = useState(false)
  if (verdict !== 'valid') return <DiagnosisView delivery={delivery} />
  return (
    <details
      className="why-folded"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Valid here, but your handler refuses it?</summary>
      {open && (
        <Stack gap={5} above={4} className="why">
          <DiagnosisView delivery={delivery} />
          <RawBodyChecks brand={delivery.brand} />
        </Stack>
      )}
    </details>
  )
}

interface AsCapturedProps {
  readonly report: SignatureReport
  readonly ofLog: NonNullable<SignatureReport['ofLog']>
  readonly delivery: Delivery
}

/** What a log tells of a signature: what was found where the delivery was captured, and whether that can be checked again. */
function AsCaptured({ report, ofLog, delivery }: AsCapturedProps) {
  const editing = useCan('editing')
  const { bodyRedacted, omitted } = ofLog
  const bodyHere = !bodyRedacted && omitted === null
  return (
    <>
      <Note tone={bodyHere ? 'info' : 'missing'}>
        {bodyRedacted ? (
          <>
            <b>The body was redacted when this log was exported.</b> The verdict is that of what was
            captured. It cannot be verified again.
          </>
        ) : omitted !== null ? (
          <>
            <b>The body is not in this log:</b> <Shown text={cut(omitted, 300)} /> The verdict is
            that of what was captured. It cannot be verified again.
          </>
        ) : (
          'The verdict is the one that was found where this was captured. The secrets of its endpoint are not in the log.'
        )}
      </Note>
      <dl className="framed definitions pad-y-4 pad-x-5" aria-label="As captured">
        <Text as="dt" tone="dim">
          Verdict
        </Text>
        <dd>
          <VerdictMark verdict={report.verdict} />
          {delivery.secretName !== null && (
            <span className="dim">
              under the secret “
              <Shown text={cut(delivery.secretName, 80)} />”
            </span>
          )}
        </dd>
        {bodyHere && (
          <>
            <Text as="dt" tone="dim">
              SHA-256
            </Text>
            <dd>
              <code className="mono size-xs selectable">{delivery.sha256}</code>
              <CopyButton text={delivery.sha256} label="Copy SHA-256" copy={copyText} />
            </dd>
            <Text as="dt" tone="dim">
              Length
            </Text>
            <dd>{counted(report.bytes, 'byte', 'bytes')}</dd>
          </>
        )}
      </dl>
      <Stack
        as="section"
        gap={4}
        pad={[5, 6]}
        frame
        className="signature-values"
        aria-label="Signatures"
      >
        <Received report={report} />
      </Stack>
      {editing && bodyHere && report.received.length > 0 && <TrySecret id={delivery.id} />}
    </>
  )
}

/** The values that came under the header's name. */
function Received({ report }: { readonly report: SignatureReport }) {
  return (
    <>
      <h3 className="size-s mid">
        Came in <code className="mono">{report.headerName}</code>
      </h3>
      {report.received.length === 0 ? (
        <p className="dim">The header did not come.</p>
      ) : (
        report.received.map((value, index) => (
          // Two values may be equal: the place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <Signature key={index} text={value} name="received" />
        ))
      )}
    </>
  )
}

function Signature({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <Row as="p" align="start" gap={3}>
      <Text as="code" anywhere mono selectable>
        {text === '' ? 'empty' : <Shown text={cut(text, 600)} />}
      </Text>
      <CopyButton text={text} label={`Copy signature ${name}`} copy={copyText} />
    </Row>
  )
}
