import type { ReactElement, SVGProps } from 'react'
import paths from './icon-paths.json'

/**
 * The icons of Lucide 1.75 (ISC, see build/licences/texts) that the interface uses. The package has each icon in five formats, 51 MB in all. To add
 * one, add its name and the `d` of its path to icon-paths.json: shapes of an icon are joined into one path.
 */
export type Icon = (props: IconProps) => ReactElement

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels; 24 by default. */
  readonly size?: number
}

function drawn(path: string): Icon {
  return ({ size = 24, className, ...rest }) => (
    <svg
      className={className === undefined ? 'icon' : `icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      // Decoration, unless the caller gives it a name.
      aria-hidden={rest['aria-label'] === undefined}
      {...rest}
    >
      <path d={path} />
    </svg>
  )
}

function icon(name: keyof typeof paths): Icon {
  return drawn(paths[name])
}

/** All icons by their Lucide name in kebab case, such as `map-pin`. */
export const iconsByName: Readonly<Record<string, Icon>> = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [
    name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase(),
    drawn(path),
  ]),
)

export const Activity = icon('Activity')
export const AlignLeft = icon('AlignLeft')
export const AppWindow = icon('AppWindow')
export const ArrowDown = icon('ArrowDown')
export const ArrowLeft = icon('ArrowLeft')
export const ArrowRight = icon('ArrowRight')
export const ArrowRightLeft = icon('ArrowRightLeft')
export const ArrowUp = icon('ArrowUp')
export const BadgeCheck = icon('BadgeCheck')
export const Ban = icon('Ban')
export const BookOpenText = icon('BookOpenText')
export const Bookmark = icon('Bookmark')
export const BookmarkPlus = icon('BookmarkPlus')
export const Bot = icon('Bot')
export const Braces = icon('Braces')
export const Bug = icon('Bug')
export const Cable = icon('Cable')
export const Check = icon('Check')
export const ChevronDown = icon('ChevronDown')
export const ChevronRight = icon('ChevronRight')
export const ChevronUp = icon('ChevronUp')
export const ChevronsDownUp = icon('ChevronsDownUp')
export const ChevronsUpDown = icon('ChevronsUpDown')
export const CircleAlert = icon('CircleAlert')
export const CircleCheck = icon('CircleCheck')
export const CircleDashed = icon('CircleDashed')
export const CircleDot = icon('CircleDot')
export const CircleHelp = icon('CircleHelp')
export const CirclePause = icon('CirclePause')
export const CirclePlay = icon('CirclePlay')
export const CircleQuestionMark = icon('CircleQuestionMark')
export const CircleSlash = icon('CircleSlash')
export const CircleStop = icon('CircleStop')
export const CircleX = icon('CircleX')
export const ClipboardCheck = icon('ClipboardCheck')
export const ClipboardCopy = icon('ClipboardCopy')
export const Clock = icon('Clock')
export const CloudAlert = icon('CloudAlert')
export const Columns2 = icon('Columns2')
export const Compass = icon('Compass')
export const Copy = icon('Copy')
export const CornerDownLeft = icon('CornerDownLeft')
export const CornerUpRight = icon('CornerUpRight')
export const Download = icon('Download')
export const Ear = icon('Ear')
export const Equal = icon('Equal')
export const Eraser = icon('Eraser')
export const ExternalLink = icon('ExternalLink')
export const Eye = icon('Eye')
export const EyeOff = icon('EyeOff')
export const FileInput = icon('FileInput')
export const FileLock2 = icon('FileLock2')
export const Ellipsis = icon('Ellipsis')
export const FileOutput = icon('FileOutput')
export const FilePenLine = icon('FilePenLine')
export const FileQuestion = icon('FileQuestion')
export const FileQuestionMark = icon('FileQuestionMark')
export const FileText = icon('FileText')
export const FileUp = icon('FileUp')
export const FlaskConical = icon('FlaskConical')
export const FolderOpen = icon('FolderOpen')
export const Forward = icon('Forward')
export const GitCompareArrows = icon('GitCompareArrows')
export const Globe = icon('Globe')
export const GlobeOff = icon('GlobeOff')
export const GlobeX = icon('GlobeX')
export const Hand = icon('Hand')
export const History = icon('History')
export const Hourglass = icon('Hourglass')
export const House = icon('House')
export const Inbox = icon('Inbox')
export const Info = icon('Info')
export const KeyRound = icon('KeyRound')
export const Laptop = icon('Laptop')
export const Link2 = icon('Link2')
export const List = icon('List')
export const ListChecks = icon('ListChecks')
export const ListFilter = icon('ListFilter')
export const ListX = icon('ListX')
export const Loader = icon('Loader')
export const LoaderCircle = icon('LoaderCircle')
export const LockKeyhole = icon('LockKeyhole')
export const LogIn = icon('LogIn')
export const Mail = icon('Mail')
export const MessageSquareText = icon('MessageSquareText')
export const Minimize2 = icon('Minimize2')
export const Minus = icon('Minus')
export const MoonStar = icon('MoonStar')
export const MousePointerClick = icon('MousePointerClick')
export const Network = icon('Network')
export const PanelLeft = icon('PanelLeft')
export const Pause = icon('Pause')
export const PenLine = icon('PenLine')
export const Pencil = icon('Pencil')
export const Pin = icon('Pin')
export const PinOff = icon('PinOff')
export const Play = icon('Play')
export const Plus = icon('Plus')
export const Power = icon('Power')
export const PowerOff = icon('PowerOff')
export const Radio = icon('Radio')
export const RadioTower = icon('RadioTower')
export const RefreshCw = icon('RefreshCw')
export const Repeat2 = icon('Repeat2')
export const Replace = icon('Replace')
export const Reply = icon('Reply')
export const RotateCcw = icon('RotateCcw')
export const RotateCcwKey = icon('RotateCcwKey')
export const RotateCw = icon('RotateCw')
export const Route = icon('Route')
export const Save = icon('Save')
export const Scissors = icon('Scissors')
export const ScrollText = icon('ScrollText')
export const Search = icon('Search')
export const SearchX = icon('SearchX')
export const Send = icon('Send')
export const ServerCog = icon('ServerCog')
export const Settings2 = icon('Settings2')
export const ShieldAlert = icon('ShieldAlert')
export const ShieldCheck = icon('ShieldCheck')
export const ShieldOff = icon('ShieldOff')
export const ShieldQuestion = icon('ShieldQuestion')
export const Shuffle = icon('Shuffle')
export const Square = icon('Square')
export const SquareFunction = icon('SquareFunction')
export const SquareTerminal = icon('SquareTerminal')
export const StickyNote = icon('StickyNote')
export const Tag = icon('Tag')
export const Telescope = icon('Telescope')
export const Terminal = icon('Terminal')
export const Ticket = icon('Ticket')
export const Timer = icon('Timer')
export const Trash2 = icon('Trash2')
export const TrendingDown = icon('TrendingDown')
export const TrendingUp = icon('TrendingUp')
export const TriangleAlert = icon('TriangleAlert')
export const Undo2 = icon('Undo2')
export const Unplug = icon('Unplug')
export const UserRound = icon('UserRound')
export const Users = icon('Users')
export const Waypoints = icon('Waypoints')
export const Webhook = icon('Webhook')
export const Wine = icon('Wine')
export const Wrench = icon('Wrench')
export const X = icon('X')
