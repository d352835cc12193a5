import type { Finding } from '#contract/models.ts'
import { SeverityIcon, severityTone } from '../../../components/Mark.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'

const longest = 400

/** Where a delivery departs from the service's document. */
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
              <Shown text={cut(finding.message, longest)} />
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
            <Shown text={cut(finding.place, 80)} />
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
        <Shown text={cut(value, longest)} />
      </dd>
    </div>
  )
}
