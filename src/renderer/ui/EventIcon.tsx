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
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

/** The icons that event types name. One that is not here is drawn as a plain ticket: add it to see it. */
const icons: Readonly<Record<string, LucideIcon>> = {
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
  /** A lucide name, kebab-case, as an event type declares it. */
  readonly name: string
}

/** The icon of an event type. */
export function EventIcon({ name }: Props) {
  const Icon = icons[name] ?? Ticket
  return <Icon aria-hidden strokeWidth={1.75} />
}
