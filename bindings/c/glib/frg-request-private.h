/* A request as the C interface has it. Private to the models. */
#ifndef FRG_REQUEST_PRIVATE_H
#define FRG_REQUEST_PRIVATE_H

#include <fetchedresults.h>

#include "frg-request.h"

/* To be freed with fr_request_free; NULL and the error on failure. */
fr_request *frg_request_build(FrGRequest *request, GError **error);

#endif
