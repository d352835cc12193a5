import { useCan } from '../shell/store.ts'
import { useEditable } from './scope/scope.ts'
import { chooseAll } from './selection/choosing.ts'
import { chooseNone, hasChosen, useSelection } from './selection/store.ts'

const columns = [
  ['c-id', 'Number'],
  ['c-time', 'Arrived'],
  ['c-verdict', 'Signature'],
  ['c-type', 'Type'],
  ['c-title', 'What'],
  ['c-target', 'Target'],
  ['c-findings', 'Findings'],
  ['c-endpoint', 'Endpoint'],
  ['c-location', 'Location'],
  ['c-status', 'Status'],
  ['c-size', 'Size'],
  ['c-lag', 'Lag'],
  ['c-pin', 'Pinned'],
] as const

interface Props {
  /** There is a column for the endpoint. */
  readonly endpoints: boolean
}

/** What the columns are, and a box that chooses all. */
export function DeliveryHead({ endpoints }: Props) {
  const editable = useEditable()
  const choosing = useCan('editing')
  const selection = useSelection()
  const some = hasChosen(selection)
  return (
    <div className="delivery-head" role="row" aria-rowindex={1}>
      <span role={choosing ? 'columnheader' : 'presentation'} className="c-choose">
        {choosing && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Choose all of this filter"
            title={`Choose all of this filter${editable ? ', to re-send them' : ''}`}
            checked={selection.all !== null}
            ref={(box) => {
              if (box) box.indeterminate = some && selection.all === null
            }}
            onChange={() => (selection.all === null ? chooseAll() : chooseNone())}
          />
        )}
      </span>
      {columns.map(
        ([name, label]) =>
          (name !== 'c-endpoint' || endpoints) && (
            <span key={name} role="columnheader" className={name}>
              <span className={name === 'c-findings' || name === 'c-pin' ? 'visually-hidden' : ''}>
                {label}
              </span>
            </span>
          ),
      )}
    </div>
  )
}
