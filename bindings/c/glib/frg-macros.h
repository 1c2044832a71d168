/* FRG_API: what public functions are declared with. */
#ifndef FRG_MACROS_H
#define FRG_MACROS_H

#if defined(__GNUC__)
#define FRG_API __attribute__((visibility("default")))
#else
#define FRG_API
#endif

#endif
