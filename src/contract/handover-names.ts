/**
 * How a page gets its port from a host that has one to give. The page posts `portWanted` to its own window as soon as it
 * listens, and the port comes back as a `portGiven` message on that window. A reload asks again and gets a new port, and a host whose
 * engine was started again gives one unasked.
 */
export const portWanted = 'tabscope:ready'
export const portGiven = 'tabscope:port'

/** The page tells its host which commands it can do just now, as `CommandsBound`; the host's menu shows it. */
export const commandsBound = 'tabscope:commands'
/** The host has the page do one of them, as `CommandWanted`. */
export const commandWanted = 'tabscope:command'
