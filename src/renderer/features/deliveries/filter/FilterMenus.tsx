import { Check, Clock, ListFilter, Tag, TriangleAlert } from '../../../ui/icons.tsx'
import { useState } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { findingCodes } from '#catalogue/findings.ts'
import { valuesOf, withValues } from '#contract/filter/edit.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { setFilterText, useDeliveries } from '../../../state/deliveries.ts'
import { CheckMenu, ChipMenu } from './CheckMenu.tsx'
import { Button } from '../../../ui/Button.tsx'

const spans = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['today', 'Today'],
] as const

interface TimeMenuProps {
  readonly text: string
  readonly disabled: boolean
}

function TimeMenu({ text, disabled }: TimeMenuProps) {
  const [open, setOpen] = useState(false)
  const [since, before] = [valuesOf(text, 'since')[0], valuesOf(text, 'before')[0]]
  const [from, setFrom] = useState('')
  function selectSince(value: string | null): void {
    setFilterText(
      withValues(withValues(text, 'before', []), 'since', value === null ? [] : [value]),
    )
    setOpen(false)
  }
  return (
    <ChipMenu
      icon={<Clock aria-hidden />}
      words="Time"
      label="Filter by time received"
      selected={since !== undefined || before !== undefined}
      disabled={disabled}
      open={open}
      onOpenChange={setOpen}
    >
      {[...spans, [null, 'Any time'] as const].map(([value, words]) => {
        const selected =
          value === null ? since === undefined && before === undefined : since === value
        return (
          <Button
            key={words}
            kind="quiet"
            className="wide time-option"
            icon={<Check aria-hidden />}
            aria-pressed={selected}
            onClick={() => selectSince(value)}
          >
            <Text grow>{words}</Text>
          </Button>
        )
      })}
      <Row
        as="form"
        align="end"
        gap={3}
        marginTop={3}
        pad={[4, 3]}
        line="top-soft"
        onSubmit={(event) => {
          event.preventDefault()
          if (from !== '') selectSince(from)
        }}
      >
        <Text as="label" grow shrink tone="mid" size="s">
          <span>Since</span>
          <input
            type="datetime-local"
            className="input"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        </Text>
        <Button type="submit" disabled={from === ''}>
          Show
        </Button>
      </Row>
    </ChipMenu>
  )
}

interface Props {
  readonly text: string
  /** The filter is invalid, so the menus cannot change it. */
  readonly disabled: boolean
}

/** Menus that add filter terms for types, findings, time and marks. */
export function FilterMenus({ text, disabled }: Props) {
  const unknown = useDeliveries((state) => state.unknownTypes)
  const group = (label: string, field: string, options: readonly Option[]) => ({
    label,
    options,
    selected: valuesOf(text, field),
    onChange: (values: string[]) => setFilterText(withValues(text, field, values)),
  })
  return (
    <>
      <CheckMenu
        icon={<ListFilter aria-hidden />}
        words="Types"
        label="Filter by type"
        disabled={disabled}
        find="Find a type"
        groups={[group('Types', 'type', typeOptions(unknown))]}
      />
      <CheckMenu
        icon={<TriangleAlert aria-hidden />}
        words="Findings"
        label="Filter by finding"
        disabled={disabled}
        find="Find a finding"
        groups={[
          group('Severities', 'severity', choicesOf('severity')),
          group('Findings', 'finding', findingOptions),
        ]}
      />
      <TimeMenu text={text} disabled={disabled} />
      <CheckMenu
        icon={<Tag aria-hidden />}
        words="Marks"
        label="Filter by mark"
        disabled={disabled}
        find={null}
        groups={[group('Marks', 'is', choicesOf('is'))]}
      />
    </>
  )
}

interface Option {
  readonly value: string
  readonly label: string
  readonly note: string
}

function choicesOf(field: string): Option[] {
  return (fieldOf(field)?.choices ?? []).map(({ value, meaning }) => ({
    value,
    label: value,
    note: meaning,
  }))
}

/** Documented types, then undocumented ones, then deliveries without a type. */
function typeOptions(unknown: readonly string[]): Option[] {
  return [
    ...eventTypes.map(({ type, label }) => ({ value: type, label: type, note: label })),
    ...unknown.map((type) => ({ value: type, label: type, note: 'not documented' })),
    { value: 'none', label: 'no type', note: 'not a payload of the service' },
  ]
}

const findingOptions: readonly Option[] = [
  ...findingCodes.map(({ code, title }) => ({ value: code, label: code, note: title })),
  { value: 'none', label: 'no finding', note: 'all as documented' },
]
