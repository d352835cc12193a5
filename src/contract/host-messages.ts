/**
 * How a page gets its MessagePort from the host. The page posts `portWanted` to its own window when it is ready to
 * listen, and receives the port in a `portGiven` message on that window. After a reload, the page requests a new port. After a restart
 * of the engine, the host sends a new port without a request.
 */
export const portWanted = 'tabscope:ready'
export const portGiven = 'tabscope:port'

/** The page reports its available commands to the host (`CommandsBound`), which updates its menu. */
export const commandsBound = 'tabscope:commands'
/** The host requests the page to run a command (`CommandWanted`). */
export const commandWanted = 'tabscope:command'
