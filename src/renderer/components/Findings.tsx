import type { Finding } from '#contract/models.ts'
import { SeverityIcon, severityTone } from './Mark.tsx'
import { Masked } from './Masked.tsx'
import { cut } from './text/visible.ts'
import './Findings.css'

const longest = 400

/** Where a delivery, or a token's answer, departs from the service's document. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <ul className="findings" aria-label="Findings">
      {findings.map((finding) => (
        <li
          key={`${finding.code} ${finding.place} ${finding.message}`}
          data-tone={severityTone(finding.severity)}
        >
          <span className="disc" data-tone={severityTone(finding.severity)}>
            <SeverityIcon severity={finding.severity} />
          </span>
          <div>
            <p>
              <span className="visually-hidden">{finding.severity}: </span>
              <Masked text={cut(finding.message, longest)} />
            </p>
            {(finding.expected !== undefined || finding.actual !== undefined) && (
              <dl className="finding-values">
                {finding.expected !== undefined && (
                  <Value name="expected" value={finding.expected} />
                )}
                {finding.actual !== undefined && <Value name="came" value={finding.actual} />}
              </dl>
            )}
          </div>
          <code className="mono dim">
            <Masked text={cut(finding.place, 80)} />
          </code>
        </li>
      ))}
    </ul>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">
        <Masked text={cut(value, longest)} />
      </dd>
    </div>
  )
}
