// What views need: coordinators, data sources and entity lists. fetchedresults.hpp does not include
// this header; this header includes fetchedresults.hpp.
#ifndef FETCHEDRESULTS_VIEWS_HPP
#define FETCHEDRESULTS_VIEWS_HPP

#include "../fetchedresults.hpp"
#include "coordinator.hpp"
#include "data_source.hpp"
#include "entity_list.hpp"

#endif
