import { Eye, EyeOff, LockKeyhole } from 'lucide-react'
import { use } from 'react'
import type { HeldBack } from '#contract/authorization.ts'
import { splitMasks } from '#contract/masks.ts'
import { Shown } from '../../components/Shown.tsx'
import type { Masks } from './use-masks.ts'
import { MaskContext } from './use-masks.ts'
import './MaskedText.css'

/** Text from outside whose markers of secrets are chips: each shows its value at a click. */
export function MaskedText({ text }: { readonly text: string }) {
  const masks = use(MaskContext)
  if (masks === null) return <Shown text={text} />
  return splitMasks(text).map((part, index) => {
    const held = part.name === null ? undefined : masks.find(part.name)
    return held ? (
      // The pieces of a fixed text: their place is their identity.
      // oxlint-disable-next-line react/no-array-index-key
      <MaskChip key={index} held={held} masks={masks} />
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Shown key={index} text={part.text} />
    )
  })
}

function MaskChip({ held, masks }: { readonly held: HeldBack; readonly masks: Masks }) {
  const shown = masks.shown?.name === held.name ? masks.shown.value : null
  const what = held.label.toLowerCase()
  return (
    <span className="mask" data-shown={shown !== null || undefined}>
      {shown === null ? (
        <>
          <LockKeyhole aria-hidden />
          <span className="mask-label">{held.label}</span>
          {held.ending !== null && <span className="mask-ending mono">…{held.ending}</span>}
        </>
      ) : (
        <span className="mask-value mono selectable">
          <Shown text={shown} />
        </span>
      )}
      <button
        type="button"
        aria-label={shown === null ? `Reveal ${what}` : `Hide ${what}`}
        title={shown === null ? 'Show it for 30 seconds' : 'Hide it'}
        onClick={(event) => {
          event.stopPropagation()
          masks.toggle(held.name)
        }}
      >
        {shown === null ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
      </button>
    </span>
  )
}
