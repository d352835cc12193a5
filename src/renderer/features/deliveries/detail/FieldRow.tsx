import type { FieldFormat, FieldType } from '#catalogue/define.ts'
import { describeValueKind } from '#catalogue/field-type.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { FieldValue } from './FieldValue.tsx'
import type { FieldState } from './field-state.ts'

interface Props {
  /** What the document says of it; null: nothing. */
  readonly said: {
    readonly label: string
    readonly type: FieldType
    readonly description: string
  } | null
  /** Its key in the payload. */
  readonly name: string
  /** Undefined: it did not come. */
  readonly value: unknown
  readonly format: FieldFormat
  readonly state: FieldState
  /** Words in the value's place, for one that is drawn elsewhere. */
  readonly instead?: string | undefined
}

/** One field of a payload: what it is called and means, its value with what there is to say of it, its key and type. */
export function FieldRow({ said, name, value, format, state, instead }: Props) {
  const key = cut(name, 60)
  const type = said?.type ?? describeValueKind(value)
  return (
    <div className="field-row">
      <dt>
        <Tooltip
          text={
            <>
              {said?.description.replaceAll('`', '') ??
                'The API documentation does not list this field.'}
              <span className="tooltip-type">
                <Shown text={key} />: {type}
              </span>
            </>
          }
        >
          <button
            type="button"
            className="field-label field-explained tone-mid anywhere"
            data-extra={said === null}
          >
            {said?.label ?? <Shown text={key} />}
          </button>
        </Tooltip>
      </dt>
      <Text as="dd" shrink anywhere selectable className="field-value">
        {state.absent === null && instead === undefined ? (
          <FieldValue value={value} format={format} />
        ) : (
          <em className="dim">{state.absent ?? instead}</em>
        )}
        {/* A space, or it is read out as one word. */}{' '}
        {state.mark && (
          <span className="tag" data-tone={state.mark.tone}>
            {state.mark.text}
          </span>
        )}
      </Text>
      <Row
        as="dd"
        justify="end"
        gap={3}
        shrink
        nowrap
        size="2xs"
        tone="dim"
        mono
        className="field-key"
        title={key}
      >
        {said !== null && (
          <Text tone="mid" cut>
            {key}
          </Text>
        )}
        <Text fixed>{type}</Text>
      </Row>
    </div>
  )
}
