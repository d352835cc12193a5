import { Check, Minus, X } from 'lucide-react'
import type { Delivery, SignatureReport, SignatureStep } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { cut } from '../../../components/text/visible.ts'
import { AsCaptured } from './signature/AsCaptured.tsx'
import { currentConclusion } from './signature/conclusion.ts'
import { Received, Signature } from './signature/Received.tsx'
import { useChecked } from './signature/use-checked.ts'
import { Why } from './signature/Why.tsx'

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
      <section className="plain-card signature-values" aria-label="Signatures">
        <Received report={report} />
        <h3>
          Computed{' '}
          <span className="dim">
            HMAC-SHA256 over {counted(report.bytes, 'byte', 'bytes')} of raw body
          </span>
        </h3>
        {report.computed.length === 0 ? (
          <p className="dim">No secret is set, so there is nothing to compute with.</p>
        ) : (
          report.computed.map((one) => (
            <div key={one.secretName} className="signature-computed">
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
      </section>
      <h3 className="section-title">Step by step</h3>
      <ol className="steps" aria-label="Steps of the check">
        {report.steps.map((step) => (
          <li key={step.label} data-tone={toneOf(step.outcome)}>
            <span className="disc" data-tone={toneOf(step.outcome)}>
              <StepIcon outcome={step.outcome} />
            </span>
            <div>
              <p>
                {step.label} <span className="step-word">{step.outcome}</span>
              </p>
              <p className="dim">
                <Shown text={cut(step.detail, 600)} />
              </p>
            </div>
          </li>
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
