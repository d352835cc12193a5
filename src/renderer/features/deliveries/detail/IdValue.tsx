import { Row } from '../../../ui/Layout.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut, visible } from '../../../ui/text/visible.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { longestId } from './payload.ts'
import { printValue } from '#contract/filter/print.ts'
import { closeDelivery, setFilterText } from '../../../state/deliveries.ts'

/** An ID that can be copied, with a link to all deliveries that contain it. */
export function IdValue({ id }: { readonly id: string }) {
  const name = visible(cut(id, 60))
  return (
    <Row as="span" inline align="center" gap={2} anywhere size="xs">
      {id.length > longestId ? (
        <span className="mono">
          <Shown text={cut(id, longestId)} />
        </span>
      ) : (
        <button
          type="button"
          className="link mono"
          title="Show all deliveries with this ID"
          aria-label={`${name}: show all deliveries with this ID`}
          onClick={() => showDeliveriesWith(id)}
        >
          <Shown text={id} />
        </button>
      )}
      <CopyButton text={id} label={`Copy ${name}`} copy={copyText} />
    </Row>
  )
}

/** Lists all deliveries that contain an ID. */
function showDeliveriesWith(id: string): void {
  setFilterText(`ref:${printValue({ text: id, quoted: true })}`)
  // The open delivery contains the ID as well, and would cover the list in a narrow window.
  closeDelivery()
}
