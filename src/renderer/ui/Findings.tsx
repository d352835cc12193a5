import { useId, useState } from 'react'
import type { Finding, Severity } from '#contract/models.ts'
import { Text, Row } from './Layout.tsx'
import { Button } from './Button.tsx'
import { SeverityIcon, severityTone } from './Mark.tsx'
import { Masked } from './Masked.tsx'
import { truncate } from './text/visible.ts'
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
  readonly findings: readonly Finding[]
  /** How many findings are visible before the rest is collapsed. */
  readonly initialCount?: number
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
    <div className="findings framed">
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

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { code, severity, location, message, expected, actual } = finding
  const tone = severityTone(severity)
  return (
    <li data-tone={tone}>
      <span className="disc" data-tone={tone}>
        <SeverityIcon severity={severity} />
      </span>
      <div>
        <Row as="p" wrap align="baseline" gapX={4}>
          <Text tone="state" size="xs" weight="bold">
            {severityLabels[severity]}
          </Text>
          <code className="mono selectable size-s">
            <Masked text={truncate(location, 130)} />
          </code>
          <code className="mono selectable dim push size-xs">
            <Masked text={truncate(code, 60)} />
          </code>
        </Row>
        <p className="selectable">
          <Masked text={truncate(message, maxLength)} />
        </p>
        {(expected !== undefined || actual !== undefined) && (
          <Row as="dl" wrap gapX={6} size="s">
            {expected !== undefined && <Value name="expected" value={expected} />}
            {actual !== undefined && <Value name="received" value={actual} />}
          </Row>
        )}
      </div>
    </li>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Row gap={3} shrink>
      <Text as="dt" fixed tone="dim">
        {name}
      </Text>
      <dd className="mono shrink selectable">
        <Masked text={truncate(value, maxLength)} />
      </dd>
    </Row>
  )
}
