import {
  inspectedEndpoint,
  type EndpointRoute,
  type InspectedEndpoint,
} from '../../payload/endpoint.ts'

/** Finds the endpoint of a request by its path, which must match exactly, and for other paths the endpoint that was probably meant. */
export class EndpointPaths {
  readonly #byPath: ReadonlyMap<string, InspectedEndpoint>
  /** By their segments in lower case. */
  readonly #bySegments = new Map<string, string>()
  readonly #bySlug = new Map<string, string>()

  constructor(routes: readonly EndpointRoute[]) {
    this.#byPath = new Map(routes.map((route) => [route.path, inspectedEndpoint(route)]))
    for (const { path } of routes) {
      const segments = segmentsOf(path)
      this.#bySegments.set(segments.join('/'), path)
      this.#bySlug.set(segments.at(-1) ?? '', path)
    }
  }

  /** `target`: of the request line. */
  endpointOf(target: string): InspectedEndpoint | null {
    return this.#byPath.get(pathname(target)) ?? null
  }

  /**
   * The path of the endpoint that `target` names in another case, with other slashes, percent-encoded, or with segments before or after it. Null: none,
   * or the path is that of an endpoint.
   */
  nearPath(target: string): string | null {
    const path = pathname(target)
    // Longer paths are not typing errors.
    if (path.length > 300 || this.#byPath.has(path)) return null
    const segments = segmentsOf(path)
    for (let start = 0; start + 2 <= segments.length; start += 1) {
      const near = this.#bySegments.get(segments.slice(start, start + 2).join('/'))
      if (near !== undefined) return near
    }
    return this.#bySlug.get(segments.at(-1) ?? '') ?? null
  }
}

/** Decoded and in lower case, without empty ones. */
function segmentsOf(path: string): string[] {
  return decoded(path)
    .toLowerCase()
    .split(/[/\\]/)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '' && segment !== '.')
}

/** Decodes twice, since a proxy may encode a path that is encoded already. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(path))
  } catch {
    return path
  }
}

/** Without the query. For an absolute-form target: the path of the URL (RFC 9112, section 3.2.2). */
function pathname(target: string): string {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}
