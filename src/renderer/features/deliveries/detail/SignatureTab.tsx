import { rejectionStatuses } from '#contract/constants.ts'
import { plural } from '#shared/text/format.ts'
import { Icons, type Icon } from '../../../ui/icons.tsx'
import type { Delivery, SignatureReport, SignatureStep } from '#contract/models.ts'
import { Grid, Stack, Row, Text } from '../../../ui/Layout.tsx'
import { Note, WhenLoaded } from '../../../ui/Note.tsx'
import { Hash, Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { useChecked } from './signature/conclusion.ts'
import { type ReactNode, useState } from 'react'
import { DiagnosisView } from './signature/DiagnosisView.tsx'
import { CheckCode, useFramework } from '../../raw-body/index.tsx'
import { CopyButton } from '../../../ui/Button.tsx'
import { VerdictMark } from '../../../ui/Mark.tsx'
import { TrySecret } from './signature/TrySecret.tsx'
import './signature/Why.css'

/** `brand`: the word in the header's name. */
export function RawBodyChecks({ brand }: { readonly brand: string }) {
  const { framework, field } = useFramework()
  return (
    <Stack as="section" gap={5} pad={[6, 6]} className="plain-card" aria-labelledby="raw-checks">
      <header>
        <h3 id="raw-checks">Signature check for your handler</h3>
        <Text as="p" tone="mid">
          The signature covers the exact bytes of the body. Parsing and re-serializing the body can
          change white space, escapes or numbers, and the signature no longer matches.
        </Text>
      </header>
      {field}
      {framework && <CheckCode framework={framework} brand={brand} />}
    </Stack>
  )
}

/** Explains the verdict: the causes that were tried, the signatures, and the check step by step. */
export function SignatureTab({ delivery }: { readonly delivery: Delivery }) {
  const query = useChecked('deliveries.signature', delivery)
  return (
    <WhenLoaded
      query={query}
      loading={<div className="plain-card ticket-coming" role="status" aria-label="Checking" />}
    >
      {(report) => <Report report={report} delivery={delivery} />}
    </WhenLoaded>
  )
}

function Report({ report, delivery }: { report: SignatureReport; delivery: Delivery }) {
  const { ofLog } = report
  if (ofLog !== null) return <AsCaptured report={report} ofLog={ofLog} delivery={delivery} />
  // Nothing is wrong, so it comes last.
  const isFolded = report.verdict === 'valid' && !isRejected(delivery)
  const why = <Why delivery={delivery} isFolded={isFolded} isValid={report.verdict === 'valid'} />
  return (
    <>
      {!isFolded && why}
      <Signatures report={report}>
        <h3 className="size-s mid">
          Computed{' '}
          <span className="weight-normal dim">
            HMAC-SHA256 over {plural(report.bytes, 'byte', 'bytes')} of raw body
          </span>
        </h3>
        {report.computed.length === 0 ? (
          <p className="dim">No secret is set, so no signature can be computed.</p>
        ) : (
          report.computed.map(({ secretName, signature, matches }) => (
            <div key={secretName}>
              <p>
                <b>
                  <Shown text={secretName} />
                </b>{' '}
                secret{' '}
                <span className="tag" data-tone={matches ? 'valid' : 'invalid'}>
                  {matches ? <Icons.Check /> : <Icons.X />}
                  {matches ? 'matches' : 'does not match'}
                </span>
              </p>
              {!matches && <Signature text={signature} name={`computed with ${secretName}`} />}
            </div>
          ))
        )}
      </Signatures>
      <h3 className="section-title">Step by step</h3>
      <ol className="framed lined steps" aria-label="Steps of the check">
        {report.steps.map((step) => (
          <Step key={step.label} step={step} />
        ))}
      </ol>
      {isFolded && why}
    </>
  )
}

function Step({ step: { label, outcome, detail } }: { readonly step: SignatureStep }) {
  const { tone, icon: Icon } = stepLooks[outcome]
  return (
    <Grid as="li" columns="auto 1" gap={4} align="start" pad={[4, 5]} data-tone={tone}>
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={3} />
      </span>
      <div>
        <Text as="p" anywhere>
          {label} <span className="size-xs weight-semibold tone-state">{outcome}</span>
        </Text>
        <Text as="p" anywhere size="s" tone="dim">
          <Shown text={detail} max={600} />
        </Text>
      </div>
    </Grid>
  )
}

const stepLooks = {
  ok: { tone: 'valid', icon: Icons.Check },
  failed: { tone: 'invalid', icon: Icons.X },
  skipped: { tone: 'unsigned', icon: Icons.Minus },
} as const satisfies Record<SignatureStep['outcome'], { tone: string; icon: Icon }>

interface WhyProps {
  readonly delivery: Delivery
  /** With the current secrets. */
  readonly isValid: boolean
  readonly isFolded: boolean
}

/** Why the signature failed, or why your handler rejects a valid one. Folded where nothing is wrong. */
function Why({ delivery, isValid, isFolded }: WhyProps) {
  const [open, setOpen] = useState(false)
  if (!isValid) return <DiagnosisView delivery={delivery} />
  const checks = (
    <>
      <DiagnosisView delivery={delivery} />
      <RawBodyChecks brand={delivery.brand} />
    </>
  )
  if (!isFolded) return checks
  return (
    <details
      className="why-folded"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Valid here, but rejected by your handler?</summary>
      {open && (
        <Stack gap={5} marginTop={4} className="why">
          {checks}
        </Stack>
      )}
    </details>
  )
}

function isRejected({ lastAttempt }: Delivery): boolean {
  return rejectionStatuses.some((status) => status === lastAttempt?.status)
}

interface AsCapturedProps {
  readonly report: SignatureReport
  readonly ofLog: NonNullable<SignatureReport['ofLog']>
  readonly delivery: Delivery
}

/** The signature of a logged delivery: the verdict at capture, and whether it can be verified again. */
function AsCaptured({ report, ofLog, delivery }: AsCapturedProps) {
  const { bodyRedacted, omitted } = ofLog
  const bodyHere = !bodyRedacted && omitted === null
  return (
    <>
      <Note tone={bodyHere ? 'info' : 'warning'}>
        {bodyRedacted ? (
          <>
            <b>The body was redacted when this log was exported.</b> The verdict is the one at
            capture and cannot be verified again.
          </>
        ) : omitted !== null ? (
          <>
            <b>The body is not in this log:</b> <Shown text={omitted} max={300} /> The verdict is
            the one at capture and cannot be verified again.
          </>
        ) : (
          'The verdict is the one at capture. The log does not contain the secrets of the endpoint.'
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
              with the secret “
              <Shown text={delivery.secretName} max={80} />”
            </span>
          )}
        </dd>
        {bodyHere && (
          <>
            <Text as="dt" tone="dim">
              SHA-256
            </Text>
            <dd>
              <code className="mono size-xs selectable">
                <Hash text={delivery.sha256} />
              </code>
              <CopyButton text={delivery.sha256} label="Copy SHA-256" />
            </dd>
            <Text as="dt" tone="dim">
              Length
            </Text>
            <dd>{plural(report.bytes, 'byte', 'bytes')}</dd>
          </>
        )}
      </dl>
      <Signatures report={report} />
      {bodyHere && report.received.length > 0 && <TrySecret delivery={delivery} />}
    </>
  )
}

interface SignaturesProps {
  readonly report: SignatureReport
  readonly children?: ReactNode
}

/** The received values of the signature header, and what else is said about signatures. */
function Signatures({ report, children }: SignaturesProps) {
  return (
    <Stack
      as="section"
      gap={4}
      pad={[5, 6]}
      frame
      className="signature-values"
      aria-label="Signatures"
    >
      <h3 className="size-s mid">
        Received in <code className="mono">{report.headerName}</code>
      </h3>
      {report.received.length === 0 ? (
        <p className="dim">Header not received.</p>
      ) : (
        report.received.map((value, index) => (
          // Values can repeat, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <Signature key={index} text={value} name="received" />
        ))
      )}
      {children}
    </Stack>
  )
}

function Signature({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <Row as="p" align="start" gap={3}>
      <Text as="code" anywhere mono selectable>
        {text === '' ? 'empty' : <Hash text={truncate(text, 600)} />}
      </Text>
      <CopyButton text={text} label={`Copy signature ${name}`} />
    </Row>
  )
}
