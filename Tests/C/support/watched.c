#include "watched.h"

#include "test.h"

void watch_request(struct watched *watched, const char *script, fr_request *request)
{
    watched->store = store_with(script);
    watched->list = NULL;
    CHECK_OK(fr_controller_new(&watched->list, watched->store, request));
    CHECK_OK(fr_list_perform_fetch(watched->list));
    recorder_start(&watched->recorder, watched->list);
    fr_request_free(request);
}

void watch(struct watched *watched, const char *script, const char *entity, const char *section, const char *sort,
           const char *where)
{
    watch_request(watched, script, request_of(entity, section, sort, where));
}

void watch_list(struct watched *watched, fr_store *store, fr_list *list)
{
    watched->store = store;
    watched->list = list;
    recorder_start(&watched->recorder, list);
}

void unwatch(struct watched *watched)
{
    fr_list_free(watched->list);
    CHECK_INT(watched->recorder.destroyed, 1);
    recorder_free(&watched->recorder);
    CHECK_OK(fr_store_close(watched->store));
}
