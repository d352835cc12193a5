import {
  BellMinus,
  BellPlus,
  BookOpen,
  CircleHelp,
  CircleMinus,
  CirclePlus,
  DoorClosed,
  DoorOpen,
  FolderPen,
  MapPin,
  Package,
  QrCode,
  ReceiptText,
  Ticket,
  UserCheck,
} from './icons.tsx'
import type { Icon } from './icons.tsx'

/** The icons that event types use. An unknown name is shown as a ticket. */
const icons: Readonly<Record<string, Icon>> = {
  'bell-minus': BellMinus,
  'bell-plus': BellPlus,
  'book-open': BookOpen,
  'circle-minus': CircleMinus,
  'circle-plus': CirclePlus,
  'circle-question-mark': CircleHelp,
  'door-closed': DoorClosed,
  'door-open': DoorOpen,
  'folder-pen': FolderPen,
  'map-pin': MapPin,
  package: Package,
  'qr-code': QrCode,
  'receipt-text': ReceiptText,
  'user-check': UserCheck,
}

interface Props {
  /** A Lucide icon name in kebab case, from the event type. */
  readonly name: string
}

export function EventIcon({ name }: Props) {
  const Icon = icons[name] ?? Ticket
  return <Icon aria-hidden strokeWidth={1.75} />
}
