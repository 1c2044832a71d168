// Section maps: controllers whose sections are rows of their own, or keys.
#ifndef FETCHEDRESULTS_SECTION_MAP_HPP
#define FETCHEDRESULTS_SECTION_MAP_HPP

#include "controller.hpp"

namespace fetchedresults {

// See fr_section_map_options.
struct SectionMapOptions {
    std::optional<std::string> section_key{};
    std::optional<std::string> index_title{};
    int empty_sections = FR_EMPTY_SECTIONS_SHOWN;
    int items_without_section = FR_ITEMS_WITHOUT_SECTION_SHOWN;
};

class SectionMap : public Controller {
  public:
    // The sections are the rows of a request. item_key: the key path from an item to the key of its
    // section.
    SectionMap(const Store &store, const Request &items, const Request &sections, std::string_view item_key,
               const SectionMapOptions &options = {})
        : Controller(detail::get(fr_section_map_new, store.handle(), items.handle(), sections.handle(),
                                 detail::Text(item_key), Raw(options).get()))
    {
    }
    // The sections are keys, in their order.
    SectionMap(const Store &store, const Request &items, const Values &keys, std::string_view item_key,
               const SectionMapOptions &options = {})
        : Controller(detail::get(fr_section_map_new_with_keys, store.handle(), items.handle(), keys.data(), keys.size(),
                                 detail::Text(item_key), Raw(options).get()))
    {
    }

    void set_keys(const Values &keys) { detail::call(fr_section_map_set_keys, list_, keys.data(), keys.size()); }
    void set_section_request(const Request &sections)
    {
        detail::call(fr_section_map_set_section_request, list_, sections.handle());
    }
    Request section_request() const { return Request(detail::get(fr_section_map_section_request, list_)); }
    void set_empty_sections(int value) { detail::call(fr_section_map_set_empty_sections, list_, value); }
    void set_items_without_section(int value) { detail::call(fr_section_map_set_items_without_section, list_, value); }

    // Sections shown or not.
    std::int64_t all_section_count() const { return detail::get(fr_section_map_all_section_count, list_); }
    SectionInfo all_section(std::int64_t index) const
    {
        return SectionInfo(detail::get(fr_section_map_all_section, list_, index));
    }
    // The numbers among all sections of those that have items.
    std::vector<std::int64_t> sections() const
    {
        const std::int64_t *first = nullptr;
        std::size_t count = 0;
        detail::call(fr_section_map_sections, &first, &count, list_);
        return std::vector<std::int64_t>(first, first + count);
    }

    void set_disabled(bool disabled) { detail::call(fr_section_map_set_disabled, list_, disabled); }
    bool is_disabled() const { return detail::get(fr_section_map_is_disabled, list_); }

  private:
    struct Raw {
        explicit Raw(const SectionMapOptions &from) : section_key(from.section_key), index_title(from.index_title)
        {
            options.struct_size = sizeof options;
            options.section_key = section_key;
            options.index_title = index_title;
            options.empty_sections = from.empty_sections;
            options.items_without_section = from.items_without_section;
        }
        const fr_section_map_options *get() const noexcept { return &options; }

        detail::Text section_key, index_title;
        fr_section_map_options options{};
    };
};

} // namespace fetchedresults

#endif
