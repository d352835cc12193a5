import { createElement, type ReactElement, type SVGProps } from 'react'
import paths from './icon-paths.json'

/**
 * The icons of Lucide 1.75 (ISC, see build/licences/texts) that the interface uses. The package has each icon in five formats, 51 MB in all. To add
 * one, add its name and the `d` of its path to icon-paths.json: shapes of an icon are joined into one path.
 */
export type Icon = (props: IconProps) => ReactElement

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels; 24 by default. */
  size?: number
}

/** One of `Icons`, or an element of one with a tone. */
export type IconOrElement = Icon | ReactElement

export function iconElement(icon: IconOrElement | undefined): ReactElement | undefined {
  return typeof icon === 'function' ? createElement(icon) : icon
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the keys of `paths`
export const Icons = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, drawn(path)]),
) as Record<keyof typeof paths, Icon>

/** All icons by their Lucide name in kebab case, such as `map-pin`. */
export const iconsByName: Readonly<Record<string, Icon>> = Object.fromEntries(
  Object.entries(Icons).map(([name, icon]) => [
    name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase(),
    icon,
  ]),
)
