import { useId, useState } from 'react'
import type { Finding, Severity } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { SeverityIcon, severityTone } from '#kit/Mark.tsx'
import { Masked } from '#kit/Masked.tsx'
import { truncate } from '#kit/text/visible.ts'
import './Findings.css'

const maxLength = 400

/** Fewer hidden findings are not collapsed, because the button would take as much space as it saves. */
const minHidden = 3

const order: readonly Severity[] = ['error', 'warning', 'info']

const severityLabels = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
} as const satisfies Record<Severity, string>

interface Props {
  findings: readonly Finding[]
  initialCount?: number
}

/** Deviations of a delivery or a token response from the API documentation, most severe first. */
export function Findings({ findings, initialCount = 8 }: Props) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  if (findings.length === 0) return null
  const sorted = order.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  )
  const collapsible = sorted.length >= initialCount + minHidden
  const shown = collapsible && !open ? sorted.slice(0, initialCount) : sorted
  return (
    <div className="findings framed [&_.disc]:mt-px">
      <ul className="lined" id={listId} aria-label="Findings">
        {shown.map((finding, index) => (
          // Findings can be equal, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <FindingItem key={index} finding={finding} />
        ))}
      </ul>
      {collapsible && (
        <Button
          kind="quiet"
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen((current) => !current)}
        >
          {open ? 'Show fewer findings' : `Show ${sorted.length - initialCount} more findings`}
        </Button>
      )}
    </div>
  )
}

function FindingItem({ finding }: { finding: Finding }) {
  const { code, severity, location, message, expected, actual } = finding
  const tone = severityTone(severity)
  return (
    <li data-tone={tone}>
      <span className="disc" data-tone={tone}>
        <SeverityIcon severity={severity} />
      </span>
      <div>
        <p className="baseline flex flex-wrap gap-x-4">
          <span className="text-xs font-bold text-tone">{severityLabels[severity]}</span>
          <code className="mono text-s select-text">
            <Masked text={truncate(location, 130)} />
          </code>
          <code className="mono ml-auto text-xs text-dim select-text">
            <Masked text={truncate(code, 60)} />
          </code>
        </p>
        <p className="select-text">
          <Masked text={truncate(message, maxLength)} />
        </p>
        {(expected !== undefined || actual !== undefined) && (
          <dl className="flex flex-wrap gap-x-6 text-s">
            {expected !== undefined && <Value name="expected" value={expected} />}
            {actual !== undefined && <Value name="received" value={actual} />}
          </dl>
        )}
      </div>
    </li>
  )
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-3">
      <dt className="flex-none text-dim">{name}</dt>
      <dd className="mono min-w-0 select-text">
        <Masked text={truncate(value, maxLength)} />
      </dd>
    </div>
  )
}
