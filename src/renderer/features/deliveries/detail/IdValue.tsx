import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { followId } from '../follow.ts'
import { longestId } from './ids.ts'

/** An id that is copied, and followed to all deliveries that mention it. */
export function IdValue({ id }: { readonly id: string }) {
  const name = visible(cut(id, 60))
  return (
    <span className="id-value">
      {id.length > longestId ? (
        <span className="mono">
          <Shown text={cut(id, longestId)} />
        </span>
      ) : (
        <button
          type="button"
          className="id-follow mono"
          title="Show all deliveries with this id"
          aria-label={`${name}: show all deliveries with this id`}
          onClick={() => followId(id)}
        >
          <Shown text={id} />
        </button>
      )}
      <CopyButton text={id} label={`Copy ${name}`} copy={copyText} />
    </span>
  )
}
