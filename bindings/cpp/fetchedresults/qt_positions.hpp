// The values of a position column after rows were moved: as few as possible are written.
#ifndef FETCHEDRESULTS_QT_POSITIONS_HPP
#define FETCHEDRESULTS_QT_POSITIONS_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace fetchedresults::qt {

// The indexes of the longest ascending subsequence of numbers; among integers one that leaves room
// for those in between.
inline std::vector<std::size_t> longest_ascending(const std::vector<std::optional<double>> &numbers, bool is_whole)
{
    std::vector<double> ends;
    std::vector<std::size_t> chain, before(numbers.size());
    for (std::size_t index = 0; index < numbers.size(); index++) {
        if (!numbers[index]) {
            continue;
        }
        // Integers have room if they grow by one from place to place.
        const double height = is_whole ? *numbers[index] - static_cast<double>(index) : *numbers[index];
        const auto found = is_whole ? std::upper_bound(ends.begin(), ends.end(), height)
                                    : std::lower_bound(ends.begin(), ends.end(), height);
        const auto length = static_cast<std::size_t>(found - ends.begin());
        before[index] = length > 0 ? chain[length - 1] : numbers.size();
        if (length == ends.size()) {
            ends.push_back(height);
            chain.push_back(index);
        } else {
            ends[length] = height;
            chain[length] = index;
        }
    }
    std::vector<std::size_t> found;
    for (std::size_t index = chain.empty() ? numbers.size() : chain.back(); index < numbers.size();
         index = before[index]) {
        found.insert(found.begin(), index);
    }
    return found;
}

// What has to be written so that values ascend: new values by their index. Integers stay integers,
// with the values that they have where possible. What is no number is written.
inline std::map<std::size_t, double> new_positions(std::vector<std::optional<double>> present)
{
    // Beyond it doubles skip integers.
    constexpr double limit = 9007199254740992.0;
    bool is_whole = true;
    for (auto &number : present) {
        if (number && !(std::abs(*number) < limit)) {
            number.reset();
        }
        is_whole = is_whole && (!number || std::floor(*number) == *number);
    }
    const std::vector<std::size_t> kept = longest_ascending(present, is_whole);
    std::map<std::size_t, double> written;
    std::vector<double> result;
    std::size_t first = 0;
    for (std::size_t i = 0; i <= kept.size(); i++) {
        const std::size_t end = i < kept.size() ? kept[i] : present.size();
        const auto count = static_cast<double>(end - first);
        const double high_end = i < kept.size() ? *present[end] : 0;
        const double low = i > 0 ? *present[kept[i - 1]] : kept.empty() ? 0 : high_end - count - 1;
        const double high = i < kept.size() ? high_end : low + count + 1;
        for (std::size_t index = first; index < end; index++) {
            const double place = static_cast<double>(index - first + 1) * (high - low) / (count + 1);
            written[index] = low + (is_whole ? std::floor(place) : place);
            result.push_back(written[index]);
        }
        if (i < kept.size()) {
            result.push_back(high);
        }
        first = end + 1;
    }
    for (std::size_t index = 1; index < result.size(); index++) {
        if (result[index - 1] >= result[index]) {
            // There is no room left between two numbers.
            written.clear();
            for (std::size_t each = 0; each < present.size(); each++) {
                written[each] = static_cast<double>(each + 1);
            }
            break;
        }
    }
    return written;
}

} // namespace fetchedresults::qt

#endif
