import { Icons, iconsByName } from '#kit/icons.tsx'

interface Props {
  /** A Lucide icon name in kebab case, from the event type. An unknown name is shown as a ticket. */
  readonly name: string
}

export function EventIcon({ name }: Props) {
  const Icon = iconsByName[name] ?? Icons.Ticket
  return <Icon aria-hidden strokeWidth={1.75} />
}
