import { useState } from 'react'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { describeType } from '#catalogue/field-type.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { FieldExample, FieldNotice, JsonKind, PayloadField } from '#contract/deliveries.ts'
import { formatCount, plural } from '#shared/text/format.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useEditable } from '../../state/scope.ts'
import { Button } from '../../ui/Button.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { EyeOff } from '../../ui/icons.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { TypeName } from './ChangeList.tsx'
import { DeliveryMoment, filterForField, FilterLink, otherTypes } from './links.tsx'

type Fields = CallOutput<'deliveries.fields'>
type TypeFields = Fields['types'][number]

const initialNotices = 8

const kindTexts = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
  array: 'list',
} as const satisfies Record<JsonKind, string>

/** What changed in payloads without an announcement, until the user dismisses it. */
export function FieldNotices({ notices }: Pick<Fields, 'notices'>) {
  const client = useClient()
  const editable = useEditable()
  const [all, setAll] = useState(false)
  const dismiss = useAction(async () => {
    await client.call('deliveries.dismissNotices', {})
  })
  if (notices.length === 0) return null
  const visible = all ? notices : notices.slice(0, initialNotices)
  return (
    <Stack as="section" gap={4} pad={[6, 6]} className="plain-card" aria-labelledby="notices">
      <h2 id="notices">Payload changes</h2>
      <Text as="p" tone="mid">
        Check that your handler ignores new fields, works without absent ones, and accepts new
        types.
      </Text>
      {dismiss.message !== null && <Note tone="invalid">{dismiss.message}</Note>}
      <Stack as="ul" lined className="changes notices">
        {visible.map((notice) => (
          <li key={`${notice.type} ${notice.path} ${notice.change} ${notice.kind}`}>
            <span className="tag" data-tone={notice.change === 'appeared' ? 'info' : 'warning'}>
              {titles[notice.change]}
            </span>
            <p>
              <Sentence notice={notice} />
            </p>
          </li>
        ))}
      </Stack>
      <Row wrap gap={4}>
        {visible.length < notices.length && (
          <Button onClick={() => setAll(true)}>
            Show {formatCount(notices.length - visible.length)} more
          </Button>
        )}
        {editable && (
          <Button disabled={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss all
          </Button>
        )}
      </Row>
    </Stack>
  )
}

const titles = {
  appeared: 'New field',
  absent: 'Absent',
  type: 'New type',
} as const satisfies Record<FieldNotice['change'], string>

function Sentence({ notice }: { readonly notice: FieldNotice }) {
  const { type, path, change, kind, documented, id, at } = notice
  const filter = filterForField(type, path, change !== 'absent')
  return (
    <>
      <Path path={path} /> of <TypeName type={type} />:{' '}
      {change === 'absent' ? 'last' : change === 'type' && kind ? kindTexts[kind] : 'first'}
      {change === 'type' && ' for the first time'} in <DeliveryMoment id={id} at={at} word="on " />.{' '}
      {documented ? `Documented as ${documentedText(documented)}.` : 'Not documented.'}{' '}
      {isHidden(path) && 'Its name may be a value, so it is not stored. '}
      {filter !== null && (
        <FilterLink filter={filter}>
          Show deliveries {change === 'absent' ? 'without' : 'with'} it
        </FilterLink>
      )}
    </>
  )
}

/** The fields of each type, as received. */
export function FieldsOfTypes({ types }: Pick<Fields, 'types'>) {
  if (types.length === 0) return null
  return (
    <Stack as="section" gap={3} aria-labelledby="payload-fields">
      <h2 id="payload-fields">Fields</h2>
      {types
        .toSorted((a, b) => Number(!eventTypeOf(a.type)) - Number(!eventTypeOf(b.type)))
        .map((of) => (
          <FieldsOfType key={of.type} of={of} />
        ))}
    </Stack>
  )
}

function FieldsOfType({ of }: { readonly of: TypeFields }) {
  const { type, payloads, fields } = of
  const [open, setOpen] = useState(false)
  const undocumented = fields.filter(({ documented }) => !documented).length
  const name = type === otherTypes ? <b>Other types</b> : <TypeName type={type} />
  return (
    <Fold
      className="conformance-fold"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      summary={
        <span>
          {name}{' '}
          <span className="mid weight-normal">
            {plural(payloads, 'payload', 'payloads')}, {plural(fields.length, 'field', 'fields')}
            {undocumented > 0 && `, ${formatCount(undocumented)} not documented`}
          </span>
        </span>
      }
    >
      {open && (
        <div className="conformance-frame">
          <table
            className="conformance-table conformance-fields"
            aria-label={`Fields of ${type ?? 'deliveries without a type'}`}
          >
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Documented</th>
                <th scope="col" className="number">
                  Payloads
                </th>
                <th scope="col">JSON types</th>
                <th scope="col">Examples</th>
                <th scope="col">First seen</th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <FieldRow key={field.path} type={type} field={field} of={payloads} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Fold>
  )
}

interface FieldProps {
  readonly type: string | null
  readonly field: PayloadField
  /** Payloads of the type. */
  readonly of: number
}

function FieldRow({ type, field, of }: FieldProps) {
  const { path, documented, payloads, kinds, examples, firstId, firstAt, lastId, lastAt } = field
  const share = shareText(payloads, of)
  const filter = filterForField(type, path)
  return (
    <tr className="conformance-kind">
      <th scope="row" className="weight-normal">
        <Path path={path} />
      </th>
      <td className="size-s">
        {documented ? (
          documentedText(documented)
        ) : (
          <span className="tag" data-tone="info">
            Not documented
          </span>
        )}
      </td>
      <td className="number">
        {filter === null ? share : <FilterLink filter={filter}>{share}</FilterLink>}
      </td>
      <td className="size-s">{kindsText(kinds)}</td>
      <td className="size-s">
        {examples.map((example) => (
          <Example key={example.text} example={example} />
        ))}
      </td>
      <td>
        <DeliveryMoment id={firstId} at={firstAt} />
      </td>
      <td>
        <DeliveryMoment id={lastId} at={lastAt} />
      </td>
    </tr>
  )
}

function Example({ example: { text, masked } }: { readonly example: FieldExample }) {
  return (
    <span className="conformance-example mono" title={text} data-masked={masked || undefined}>
      {masked && (
        <>
          <EyeOff aria-hidden />
          <span className="visually-hidden">masked: </span>
        </>
      )}
      <span>
        <Shown text={text} />
      </span>
    </span>
  )
}

function Path({ path }: { readonly path: string }) {
  return (
    <code
      className="mono"
      title={isHidden(path) ? 'Names that may be values are not stored.' : undefined}
    >
      <Shown text={truncate(path, 120)} />
    </code>
  )
}

function isHidden(path: string): boolean {
  return /(?:^|\.)\*/.test(path)
}

function documentedText({ type, optional }: NonNullable<PayloadField['documented']>): string {
  return `${describeType(type)}${optional ? ', optional' : ''}`
}

/** Rounded down, so that only all payloads are 100 %. */
function shareText(payloads: number, of: number): string {
  const percent = Math.floor((payloads / of) * 100)
  return percent === 0 ? '< 1 %' : `${percent} %`
}

/** The most frequent one first; how many only if there are several. */
function kindsText(kinds: PayloadField['kinds']): string {
  const counts = (['string', 'number', 'boolean', 'null', 'object', 'array'] as const)
    .flatMap((kind) => (kinds[kind] === undefined ? [] : [{ kind, count: kinds[kind] }]))
    .toSorted((a, b) => b.count - a.count)
  return counts
    .map(({ kind, count }) =>
      counts.length === 1 ? kindTexts[kind] : `${kindTexts[kind]} ${formatCount(count)}`,
    )
    .join(', ')
}
