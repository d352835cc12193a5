/**
 * How a page gets its port from a host that has one to give. The page posts `portWanted` to its own window as soon as it
 * listens, and the port comes back as a `portGiven` message on that window. A reload asks again and gets a new port.
 */
export declare const portWanted = 'tabscope:ready'
export declare const portGiven = 'tabscope:port'
