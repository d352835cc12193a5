import { isFailure } from '#catalogue/outcome.ts'
import { plural } from '#shared/text/format.ts'
import { Icons, type Icon } from '#kit/icons.tsx'
import type { Delivery, SignatureReport, SignatureStep } from '#contract/models.ts'
import { Loading, Note, WhenLoaded } from '#kit/Note.tsx'
import { Hash, Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useChecked } from './signature/use-checked.ts'
import { type ReactNode, useState } from 'react'
import { DiagnosisView } from './signature/DiagnosisView.tsx'
import { CheckCode, useFramework } from '#parts/RawBodyChecks.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { VerdictMark } from '#kit/Mark.tsx'
import { TrySecret } from './signature/TrySecret.tsx'
import './signature/Why.css'

/** `brand`: the word in the header's name. */
export function RawBodyChecks({ brand }: { brand: string }) {
  const { framework, field } = useFramework()
  return (
    <section className="plain-card grid gap-5 p-6" aria-labelledby="raw-checks">
      <header>
        <h3 id="raw-checks">Signature check for your handler</h3>
        <p className="text-mid">
          The signature covers the exact bytes of the body. Parsing and re-serializing the body can
          change white space, escapes or numbers, and the signature no longer matches.
        </p>
      </header>
      {field}
      {framework && <CheckCode framework={framework} brand={brand} />}
    </section>
  )
}

/** Explains the verdict: the causes that were tried, the signatures, and the check step by step. */
export function SignatureTab({ delivery }: { delivery: Delivery }) {
  const query = useChecked('deliveries.signature', delivery)
  return (
    <WhenLoaded query={query} loading={<Loading card label="Checking" />}>
      {(report) => <Report report={report} delivery={delivery} />}
    </WhenLoaded>
  )
}

function Report({ report, delivery }: { report: SignatureReport; delivery: Delivery }) {
  const { ofLog } = report
  if (ofLog !== null) return <AsCaptured report={report} ofLog={ofLog} delivery={delivery} />
  const isFolded = report.verdict === 'valid' && !isRejected(delivery)
  const why =
    report.verdict === 'valid' ? (
      <Rejected delivery={delivery} isFolded={isFolded} />
    ) : (
      <DiagnosisView delivery={delivery} />
    )
  return (
    <>
      {!isFolded && why}
      <Signatures report={report}>
        <h3 className="text-s text-mid">
          Computed{' '}
          <span className="font-normal text-dim">
            HMAC-SHA256 over {plural(report.bytes, 'byte', 'bytes')} of raw body
          </span>
        </h3>
        {report.computed.length === 0 ? (
          <p className="text-dim">No secret is set, so no signature can be computed.</p>
        ) : (
          report.computed.map(({ secretName, signature, matches }) => (
            <div key={secretName}>
              <p>
                <b>
                  <Shown text={secretName} />
                </b>{' '}
                secret{' '}
                {report.received.length > 0 && (
                  <span className="tag" data-tone={matches ? 'valid' : 'invalid'}>
                    {matches ? <Icons.Check /> : <Icons.X />}
                    {matches ? 'matches' : 'does not match'}
                  </span>
                )}
              </p>
              {!matches && <Signature text={signature} name={`computed with ${secretName}`} />}
            </div>
          ))
        )}
      </Signatures>
      <h3 className="section-title">Step by step</h3>
      <ol className="framed lined [&_.disc]:mt-px" aria-label="Steps of the check">
        {report.steps.map((step) => (
          <Step key={step.label} step={step} />
        ))}
      </ol>
      {isFolded && why}
    </>
  )
}

function Step({ step: { label, outcome, detail } }: { step: SignatureStep }) {
  const { tone, icon: Icon } = stepLooks[outcome]
  return (
    <li className="grid grid-cols-auto-1 items-start gap-4 px-5 py-4" data-tone={tone}>
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={3} />
      </span>
      <div>
        <p className="wrap-anywhere">
          {label} <span className="text-xs font-semibold text-tone">{outcome}</span>
        </p>
        <p className="text-s wrap-anywhere text-dim">
          <Shown text={detail} max={600} />
        </p>
      </div>
    </li>
  )
}

const stepLooks = {
  ok: { tone: 'valid', icon: Icons.Check },
  failed: { tone: 'invalid', icon: Icons.X },
  skipped: { tone: 'unsigned', icon: Icons.Minus },
} as const satisfies Record<SignatureStep['outcome'], { tone: string; icon: Icon }>

/** Why your handler may reject a valid signature. Folded where nothing is wrong. */
function Rejected({ delivery, isFolded }: { delivery: Delivery; isFolded: boolean }) {
  const [open, setOpen] = useState(!isFolded)
  const checks = open && (
    <>
      <DiagnosisView delivery={delivery} />
      <RawBodyChecks brand={delivery.brand} />
    </>
  )
  if (!isFolded) return checks
  return (
    <details
      className="[&>summary]:w-fit [&>summary]:cursor-pointer [&>summary]:text-mid"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Valid here, but rejected by your handler?</summary>
      <div className="mt-4 grid gap-5">{checks}</div>
    </details>
  )
}

function isRejected({ lastAttempt }: Delivery): boolean {
  return isFailure('valid', lastAttempt?.status ?? null)
}

interface AsCapturedProps {
  report: SignatureReport
  ofLog: NonNullable<SignatureReport['ofLog']>
  delivery: Delivery
}

function AsCaptured({ report, ofLog, delivery }: AsCapturedProps) {
  const { bodyRedacted, omitted } = ofLog
  const bodyHere = !bodyRedacted && omitted === null
  return (
    <>
      <Note tone={bodyHere ? 'info' : 'warning'}>
        {bodyHere ? (
          'The verdict is the one at capture. The log does not contain the secrets of the endpoint.'
        ) : (
          <>
            {bodyRedacted ? (
              <b>The body was redacted when this log was exported.</b>
            ) : (
              <>
                <b>The body is not in this log:</b> <Shown text={omitted ?? ''} max={300} />
              </>
            )}{' '}
            The verdict is the one at capture and cannot be verified again.
          </>
        )}
      </Note>
      <dl className="framed definitions px-5 py-4" aria-label="As captured">
        <dt className="text-dim">Verdict</dt>
        <dd>
          <VerdictMark verdict={report.verdict} />
          {delivery.secretName !== null && (
            <span className="text-dim">
              with the secret “
              <Shown text={delivery.secretName} max={80} />”
            </span>
          )}
        </dd>
        {bodyHere && (
          <>
            <dt className="text-dim">SHA-256</dt>
            <dd>
              <code className="mono text-xs select-text">
                <Hash text={delivery.sha256} />
              </code>
              <CopyButton text={delivery.sha256} label="Copy SHA-256" />
            </dd>
            <dt className="text-dim">Length</dt>
            <dd>{plural(report.bytes, 'byte', 'bytes')}</dd>
          </>
        )}
      </dl>
      <Signatures report={report} />
      {bodyHere && report.received.length > 0 && <TrySecret delivery={delivery} />}
    </>
  )
}

function Signatures({ report, children }: { report: SignatureReport; children?: ReactNode }) {
  return (
    <section
      className="framed grid gap-4 px-6 py-5 [&>*+h3]:border-t [&>*+h3]:border-dashed [&>*+h3]:border-t-line-strong [&>*+h3]:pt-5"
      aria-label="Signatures"
    >
      <h3 className="text-s text-mid">
        Received in <code className="mono">{report.headerName}</code>
      </h3>
      {report.received.length === 0 ? (
        <p className="text-dim">Header not received.</p>
      ) : (
        report.received.map((value, index) => (
          // Values can repeat, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <Signature key={index} text={value} name="received" />
        ))
      )}
      {children}
    </section>
  )
}

function Signature({ text, name }: { text: string; name: string }) {
  return (
    <p className="flex items-start gap-3">
      <code className="mono wrap-anywhere select-text">
        {text === '' ? 'empty' : <Hash text={truncate(text, 600)} />}
      </code>
      <CopyButton text={text} label={`Copy signature ${name}`} />
    </p>
  )
}
