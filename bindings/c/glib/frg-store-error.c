#include "frg-store-error-private.h"

GQuark frg_store_error_quark(void)
{
    return g_quark_from_static_string("frg-store-error-quark");
}

GType frg_store_error_get_type(void)
{
    static const GEnumValue values[] = {
        {FRG_STORE_ERROR_FAILED, "FRG_STORE_ERROR_FAILED", "failed"},
        {FRG_STORE_ERROR_MISUSE, "FRG_STORE_ERROR_MISUSE", "misuse"},
        {FRG_STORE_ERROR_CLOSED, "FRG_STORE_ERROR_CLOSED", "closed"},
        {FRG_STORE_ERROR_RANGE, "FRG_STORE_ERROR_RANGE", "range"},
        {FRG_STORE_ERROR_INVALID_UTF8, "FRG_STORE_ERROR_INVALID_UTF8", "invalid-utf8"},
        {FRG_STORE_ERROR_TYPE, "FRG_STORE_ERROR_TYPE", "type"},
        {FRG_STORE_ERROR_NOT_FOUND, "FRG_STORE_ERROR_NOT_FOUND", "not-found"},
        {FRG_STORE_ERROR_NOT_FETCHED, "FRG_STORE_ERROR_NOT_FETCHED", "not-fetched"},
        {FRG_STORE_ERROR_SCHEMA, "FRG_STORE_ERROR_SCHEMA", "schema"},
        {FRG_STORE_ERROR_SQL, "FRG_STORE_ERROR_SQL", "sql"},
        {FRG_STORE_ERROR_CONSTRAINT, "FRG_STORE_ERROR_CONSTRAINT", "constraint"},
        {FRG_STORE_ERROR_BUSY, "FRG_STORE_ERROR_BUSY", "busy"},
        {FRG_STORE_ERROR_READ_ONLY, "FRG_STORE_ERROR_READ_ONLY", "read-only"},
        {FRG_STORE_ERROR_IO, "FRG_STORE_ERROR_IO", "io"},
        {FRG_STORE_ERROR_CORRUPT, "FRG_STORE_ERROR_CORRUPT", "corrupt"},
        {FRG_STORE_ERROR_NO_MEMORY, "FRG_STORE_ERROR_NO_MEMORY", "no-memory"},
        {FRG_STORE_ERROR_CANCELLED, "FRG_STORE_ERROR_CANCELLED", "cancelled"},
        {FRG_STORE_ERROR_GONE, "FRG_STORE_ERROR_GONE", "gone"},
        {0, NULL, NULL},
    };
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_once_init_leave(&type, g_enum_register_static("FrGStoreError", values));
    }
    return type;
}

/* A message can contain names out of a database, which need not be valid UTF-8. */
static GError *error_with(fr_status status, const char *message)
{
    char *text = g_utf8_make_valid(message != NULL && *message != '\0' ? message : fr_status_name(status), -1);
    GError *error = g_error_new_literal(FRG_STORE_ERROR, status, text);
    g_free(text);
    return error;
}

gboolean frg_succeeded(fr_status status, GError **error)
{
    if (status != FR_OK) {
        g_propagate_error(error, error_with(status, fr_error_status() == status ? fr_error_message() : NULL));
    }
    return status == FR_OK;
}

GError *frg_error_of(const fr_error *reported)
{
    return error_with(reported->status, reported->message);
}
