/**
 * The page posts `portWanted` to its own window when it is ready, and after a reload, and receives a MessagePort in a `portGiven` message on that window.
 * After a restart of the engine, the host sends a new port without a request.
 */
export const portWanted = 'tabscope:ready'
export const portGiven = 'tabscope:port'

/** From the page (`CommandsBound`): the host updates its menu. */
export const commandsBound = 'tabscope:commands'
/** From the host (`CommandWanted`): the page runs a command. */
export const commandWanted = 'tabscope:command'
