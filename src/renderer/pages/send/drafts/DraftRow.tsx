import { Icons } from '#kit/icons.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DraftOrigin, DraftSummary } from '#contract/compose.ts'
import { IconButton } from '#kit/Button.tsx'
import { EventIcon } from '#parts/EventIcon.tsx'
import { ago, fullTime, utcTime } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useNow } from '#kit/Time.tsx'
import { useCompose } from '#parts/composer/store.ts'

interface Props {
  draft: DraftSummary
  onName: (draft: DraftSummary) => void
  onDelete: (draft: DraftSummary) => void
}

export function draftLabel({ name, title, origin }: DraftSummary): string {
  return shortText(name ?? (title === '' ? originLabel(origin) : title), 120)
}

export function originLabel(origin: DraftOrigin): string {
  switch (origin.kind) {
    case 'delivery':
      return `from delivery #${origin.deliveryId}`
    case 'log':
      return `from #${origin.deliveryId} in ${shortText(origin.log, 60)}`
    case 'sample':
      return `from a sample of ${shortText(origin.type, 60)}`
    case 'file':
      return `from ${shortText(origin.name, 60)}`
    case 'empty':
      return 'from scratch'
  }
}

export function DraftRow({ draft, onName, onDelete }: Props) {
  const now = useNow()
  const here = useCompose((state) => state.session?.id === draft.id)
  const label = draftLabel(draft)
  const icon = eventTypeOf(draft.title)?.view.icon
  return (
    <li className="relative hover:[&>.list-actions]:opacity-100">
      <a
        className="list-row flex"
        href={`#/send/drafts/${draft.id}`}
        aria-current={here || undefined}
        data-draft
      >
        <span className="flex-none text-dim">
          {icon === undefined ? <OriginIcon origin={draft.origin} /> : <EventIcon name={icon} />}
        </span>
        <span className="grid min-h-0 min-w-0 flex-1">
          <span className="cut font-semibold">{label}</span>
          <span className="flex min-w-0 gap-4 text-xs text-dim">
            <span className="cut">{originLabel(draft.origin)}</span>
            <time
              className="ml-auto flex-none"
              dateTime={utcTime(draft.updatedAt)}
              title={fullTime(draft.updatedAt)}
            >
              {ago(draft.updatedAt, now)}
            </time>
          </span>
        </span>
      </a>
      <span className="list-actions absolute top-2 right-4 flex rounded-sm bg-raised opacity-0 shadow-s focus-within:opacity-100">
        <IconButton
          label={draft.name === null ? `Make ${label} a template` : `Rename ${label}`}
          onClick={() => onName(draft)}
        >
          <Icons.Pencil />
        </IconButton>
        <IconButton label={`Delete ${label}`} onClick={() => onDelete(draft)}>
          <Icons.Trash2 />
        </IconButton>
      </span>
    </li>
  )
}

function OriginIcon({ origin }: { origin: DraftOrigin }) {
  switch (origin.kind) {
    case 'delivery':
    case 'log':
      return <Icons.Inbox />
    case 'file':
      return <Icons.FileText />
    case 'sample':
    case 'empty':
      return <Icons.PenLine />
  }
}
