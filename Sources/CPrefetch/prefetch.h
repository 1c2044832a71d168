/*
 * Asks the processor to load the line of its cache in which an address lies, and does not wait for
 * it. Nothing is read, so any address is allowed. Swift has no such instruction.
 */
static inline void fr_prefetch(const void *address)
{
    __builtin_prefetch(address);
}
